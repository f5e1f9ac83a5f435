/** A venue of the sandbox. Its ids are nobody's: no real market identifier stands for simulated trades. */
export interface SandboxVenue {
  readonly id: string;
  /** Whether its quotes are protected, as those of exchanges are; alternative trading systems below the threshold display none that are. */
  readonly isProtected: boolean;
  /** For taking a share, in ten-thousandths of a dollar: at most 30 (17 CFR 242.610(c)), below zero on an inverted venue. */
  readonly takeFee: number;
  /** Until an order has arrived there. */
  readonly latency_ms: number;
  /** Half of its quoted spread, in millionths of the price. */
  readonly halfSpread_e6: number;
  /** Shares at a level, in round lots: as many as this at most. */
  readonly depthLotsMax: number;
}

/** Sixteen venues: maker-taker, flat and inverted exchanges, and two alternative trading systems. */
export const SANDBOX_VENUES: readonly SandboxVenue[] = [
  { id: 'SV01', isProtected: true, takeFee: 30, latency_ms: 4, halfSpread_e6: 20, depthLotsMax: 12 },
  { id: 'SV02', isProtected: true, takeFee: 30, latency_ms: 6, halfSpread_e6: 25, depthLotsMax: 10 },
  { id: 'SV03', isProtected: true, takeFee: 28, latency_ms: 5, halfSpread_e6: 30, depthLotsMax: 9 },
  { id: 'SV04', isProtected: true, takeFee: 27, latency_ms: 8, halfSpread_e6: 35, depthLotsMax: 8 },
  { id: 'SV05', isProtected: true, takeFee: 25, latency_ms: 12, halfSpread_e6: 40, depthLotsMax: 6 },
  { id: 'SV06', isProtected: true, takeFee: 20, latency_ms: 9, halfSpread_e6: 40, depthLotsMax: 6 },
  { id: 'SV07', isProtected: true, takeFee: 9, latency_ms: 7, halfSpread_e6: 45, depthLotsMax: 5 },
  { id: 'SV08', isProtected: true, takeFee: 9, latency_ms: 350, halfSpread_e6: 30, depthLotsMax: 7 },
  { id: 'SV09', isProtected: true, takeFee: 5, latency_ms: 14, halfSpread_e6: 50, depthLotsMax: 4 },
  { id: 'SV10', isProtected: true, takeFee: 0, latency_ms: 18, halfSpread_e6: 60, depthLotsMax: 4 },
  { id: 'SV11', isProtected: true, takeFee: -2, latency_ms: 11, halfSpread_e6: 60, depthLotsMax: 4 },
  { id: 'SV12', isProtected: true, takeFee: -10, latency_ms: 10, halfSpread_e6: 55, depthLotsMax: 3 },
  { id: 'SV13', isProtected: true, takeFee: -18, latency_ms: 13, halfSpread_e6: 65, depthLotsMax: 3 },
  { id: 'SV14', isProtected: true, takeFee: 30, latency_ms: 25, halfSpread_e6: 80, depthLotsMax: 15 },
  { id: 'SV15', isProtected: false, takeFee: 10, latency_ms: 40, halfSpread_e6: 15, depthLotsMax: 2 },
  { id: 'SV16', isProtected: false, takeFee: 12, latency_ms: 60, halfSpread_e6: 10, depthLotsMax: 2 },
];
