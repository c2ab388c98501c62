# SPDX-License-Identifier: Apache-2.0
"""tirxcc.target.Target, for programs written with TVM's names."""

from tirxcc._compile import Target

__all__ = ["Target"]
