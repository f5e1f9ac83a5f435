/** Least cosine similarity that counts as the same person where the caller names none (docs/design/faces-and-galleries.md#thresholds). */
export const MATCH_THRESHOLD_DEFAULT = 0.6;

/** Matches that a search answers where the caller says no number (docs/design/faces-and-galleries.md#search). */
export const TOP_K_DEFAULT = 5;
