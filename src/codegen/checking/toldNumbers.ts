/**
 * The numbers by which checked kernels tell of what they do. From 0 on they are sites, of accesses whose addresses are in the slot, and from
 * FIRST_ROW on rows, of which the slot has one address, which most accesses are; below TOLD_MEETING there are the points of SyncPoints
 * (launch.ts) and, behind them, its ways around barriers.
 */

export const FIRST_ROW = 1 << 20
/** All warps of the block have come to a barrier. */
export const TOLD_MEETING = -1
const FIRST_CALL = -2

/** The number of one in the list of points and ways. */
export const numberOf = (index: number): number => FIRST_CALL - index

/** What a number below {@link TOLD_MEETING} is in that list. */
export const toldIndex = (told: number): number => FIRST_CALL - told
