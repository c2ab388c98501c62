# SPDX-License-Identifier: Apache-2.0
"""The name of the language is no parameter."""

from tirxcc.script import tirx as T


@T.function
def namespace_parameter(T: T.Tensor((32,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
