/** Least cosine similarity that counts as the same person where the caller names none (docs/decisions.md). */
export const MATCH_THRESHOLD_DEFAULT = 0.6;

/** events.md leaves the default of top_k open. */
export const TOP_K_DEFAULT = 5;
