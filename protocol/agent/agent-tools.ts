import type { AgentTool } from './tool.ts';
import { cancelOrder } from './tools/cancel-order.ts';
import { getMarkets } from './tools/get-markets.ts';
import { getOpenOrders } from './tools/get-open-orders.ts';
import { getOrderbook } from './tools/get-orderbook.ts';
import { getPortfolio } from './tools/get-portfolio.ts';
import { getQuote } from './tools/get-quote.ts';
import { getTrades } from './tools/get-trades.ts';
import { placeOrder } from './tools/place-order.ts';
import { previewOrder } from './tools/preview-order.ts';

/**
 * The eight tools of the specification (X-AGT-01 to X-AGT-08), and the preview of an order. Nothing here moves assets off the platform
 * or touches account settings, KYC or API keys (X-AGT-19), and no scope of a key reaches them.
 */
export const AGENT_TOOLS: readonly AgentTool[] = [
  getQuote,
  getOrderbook,
  placeOrder,
  cancelOrder,
  getPortfolio,
  getOpenOrders,
  getTrades,
  getMarkets,
  previewOrder,
];

export function agentToolNamed(name: string): AgentTool | null {
  return AGENT_TOOLS.find((tool) => tool.name === name) ?? null;
}
