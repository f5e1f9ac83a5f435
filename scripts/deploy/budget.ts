/** What the Worker may cost before it does anything. `npm run check:deploy` measures both and fails beyond them. */
export const BUDGET = {
  /** Compressed, as it is uploaded. The script of the reference pages is 1.2 MB of it. Cloudflare takes 10 MB. */
  gzip_kib_max: 2_048,
  /**
   * CPU time in workerd from the first module to the last, as `wrangler check startup` samples it. On 2 cores it takes 57 ms, and took
   * 131 ms when every profile was evaluated at the start. Cloudflare takes 1 s, on its own machines.
   */
  startup_ms_max: 100,
} as const;
