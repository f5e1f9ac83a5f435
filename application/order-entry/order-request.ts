import type { TermsRequest } from '../../domain/order-entry/scale-terms.ts';

/** An order as any door hands it in: its terms in JSON numbers, null or false where nothing was said. */
export interface OrderRequest extends TermsRequest {
  /** UUIDv7, the same on every retry of one request. */
  readonly orderId: string;
  /** An asset executes where its route says (profile A), a pair on the internal book (profile B, FIX, gRPC, agents). */
  readonly instrument: { readonly assetId: string } | { readonly symbol: string };
  readonly clientOrderId: string | null;
  /** The client says that it knows this to be an indication of interest in a pre-IPO asset. */
  readonly preIpo: boolean;
}
