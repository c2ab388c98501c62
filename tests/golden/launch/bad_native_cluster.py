# SPDX-License-Identifier: Apache-2.0
"""Clusters are not supported yet in this form."""

from tirxcc.script import tirx as T


@T.prim_func
def native_cluster(A: T.Buffer((32,), "float32")):
    T.device_entry()
    c = T.cluster_id([2])
    tx = T.thread_id([32])
    A[tx] = T.float32(1.0)
