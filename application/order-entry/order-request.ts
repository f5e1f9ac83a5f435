import type { TermsRequest } from '../../domain/order-entry/scale-terms.ts';

/** An order as any door hands it in: its terms in JSON numbers, null or false where nothing was said. */
export interface OrderRequest extends TermsRequest {
  /** UUIDv7, the same on every retry of one request. */
  readonly orderId: string;
  /** An asset executes where its route says (profile A), a pair on the internal book (profile B, FIX, gRPC, agents). */
  readonly instrument: { readonly assetId: string } | { readonly symbol: string };
  readonly clientOrderId: string | null;
  /** What the client takes this to be: an indication of interest in a pre-IPO asset, or a firm order; null where it says nothing. */
  readonly preIpo: boolean | null;
}
