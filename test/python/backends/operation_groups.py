"""The whole table, in the order of the coverage page."""

import conversion_operations
import elementwise_operations
import memory_operations
import tile_operations

GROUPS = (
    *elementwise_operations.GROUPS,
    *conversion_operations.GROUPS,
    *tile_operations.GROUPS,
    *memory_operations.GROUPS,
)
