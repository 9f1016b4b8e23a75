/** The last index with sorted[index] <= x, in 0 ... n - 1. */
export function lastAtOrBefore(sorted: ArrayLike<number>, x: number): number {
  let low = 0, high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (sorted[middle] <= x) low = middle;
    else high = middle - 1;
  }
  return low;
}
