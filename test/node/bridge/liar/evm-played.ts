/** EVM chains whose signers the liar's harness plays: one by its blocks alone, one by what its node calls final after many of them. The others share their code. */
export const EVM_PLAYED = ['ethereum', 'arbitrum'] as const;
