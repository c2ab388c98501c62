# SPDX-License-Identifier: Apache-2.0
"""`from tirxcc.tirx import compile`, for programs written with another package's names."""

from tirxcc._compile import compile

__all__ = ["compile"]
