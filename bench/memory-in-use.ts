/** Needs `node --expose-gc`. */
export const collectGarbage =
  globalThis.gc ??
  (() => {
    throw new Error('run with node --expose-gc');
  });

/** Heap and buffers that are still referenced. */
export function memoryInUse_bytes(): number {
  // The second finishes what the first leaves for later: the buffers of books that are gone.
  collectGarbage();
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
