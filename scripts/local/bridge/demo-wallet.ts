/** The devnets' account whose wallet the demo's customer has on the chain that stands for Ethereum. Everybody knows its key. */
export const DEMO_WALLET = { account: 3, address: '0x90F79bf6EB2c4f870365E785982E1f101E93b906' } as const;
