/** What the Worker may cost before it does anything. `npm run check:deploy` measures both and fails beyond them. */
export const BUDGET = {
  /**
   * Compressed, as it is uploaded: 2,045 KiB and a tenth. Files beside the Worker, the app's and the script of the reference pages, are not in it.
   * Cloudflare takes 3 MB on the free plan and 10 MB on the paid one: this stays below the smaller one.
   */
  gzip_kib_max: 2_250,
  /** Of the Worker of the chains, and of a signer's, which has the same libraries: some 1,650 KiB, nearly all of them those of chains. */
  chains_gzip_kib_max: 1_750,
  /**
   * Time in workerd from the first module to the last in which it was at work, by the samples of `wrangler check startup`: some 55 ms on 2
   * quiet cores (docs/performance.md#the-start-of-the-worker). Beside eight busy processes a core with cold caches takes five times as
   * long, so the budget leaves room for that. Cloudflare takes 1 s, on its own machines.
   */
  startup_ms_max: 400,
} as const;
