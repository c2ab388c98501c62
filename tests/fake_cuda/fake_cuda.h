// SPDX-License-Identifier: Apache-2.0
//
// How tests steer the fake CUDA driver from inside the process; from outside it is steered by the
// environment variables that fake_cuda.cc lists. Looked up by dlsym on the library.
#pragma once

extern "C" {

// Forgets all objects, the log and what was configured; reads the environment again.
void fake_cuda_reset();

// The calls since the last reset, one a line.
const char* fake_cuda_log();

// Errors to come, as in FAKE_CUDA_FAIL.
void fake_cuda_fail(const char* spec);

// Sizes of a kernel's arguments, as in FAKE_CUDA_KERNELS.
void fake_cuda_kernels(const char* spec);

// A context of a device that is nobody's primary one, made current.
void fake_cuda_push_own_context(int device);

// Bytes of device memory that are allocated.
unsigned long long fake_cuda_live_bytes();

}  // extern "C"
