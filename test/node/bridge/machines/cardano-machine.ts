import {
  type ValidationInputContext,
  type ValidationResult,
  validate_transaction_js,
} from '@cardananium/cquisitor-lib';
import type { Vault } from '../../../../domain/bridge/chains/chain-adapter.ts';
import { CardanoChain, type CardanoJudge } from '../chains-utxo/cardano-chain.ts';

/** Parameters of the main network beside its prices, of which a payment without scripts meets the sizes alone. */
const PARAMETERS = {
  maxTransactionSize: 16_384,
  maxValueSize: 5_000,
  maxBlockBodySize: 90_112,
  maxBlockHeaderSize: 1_100,
  stakeKeyDeposit: 2_000_000,
  stakePoolDeposit: 500_000_000,
  drepDeposit: 500_000_000,
  governanceActionDeposit: 100_000_000_000,
  minPoolCost: 170_000_000,
  maxEpochForPoolRetirement: 18,
  protocolVersion: [10, 0],
  collateralPercentage: 150,
  maxCollateralInputs: 3,
  costModels: {},
  executionPrices: {
    memPrice: { numerator: 577, denominator: 10_000 },
    stepPrice: { numerator: 721, denominator: 10_000_000 },
  },
  maxTxExecutionUnits: { mem: 14_000_000, steps: 10_000_000_000 },
  maxBlockExecutionUnits: { mem: 62_000_000, steps: 20_000_000_000 },
  referenceScriptCostPerByte: { numerator: 15, denominator: 1 },
};
const SLOT = 100_000_000;

/** The rules of Cardano's ledger (Conway, first phase) by CQuisitor. */
const judge: CardanoJudge = (transaction, wanted, { feePerByte, feeFixed, coinsPerByte }) => {
  const context = {
    slot: SLOT,
    networkType: 'preprod' satisfies ValidationInputContext['networkType'],
    protocolParameters: {
      ...PARAMETERS,
      minFeeCoefficientA: feePerByte,
      minFeeConstantB: feeFixed,
      adaPerUtxoByte: coinsPerByte,
    },
    utxoSet: wanted.map(({ tx, index, address, held, isSpent }) => ({
      isSpent,
      utxo: {
        input: { txHash: tx, outputIndex: index },
        output: {
          address,
          amount: Object.entries(held).map(([unit, quantity]) => ({ unit, quantity: String(quantity) })),
        },
      },
    })),
    accountContexts: [],
    currentCommitteeMembers: [],
    potentialCommitteeMembers: [],
    drepContexts: [],
    govActionContexts: [],
    lastEnactedGovAction: [],
    poolContexts: [],
    treasuryValue: 0,
  };
  const answer = validate_transaction_js(Buffer.from(transaction).toString('hex'), JSON.stringify(context));
  const { errors, phase2_errors } = JSON.parse(answer) as ValidationResult;
  const all = [...errors, ...phase2_errors];
  const said = all.map(({ error, error_message }) => `${Object.keys(error)}: ${error_message}`);
  return all.length === 0 ? null : `CQuisitor: ${said.join(', ')}`;
};

/** Blocks, and what is unspent, are of the chain in memory. */
export function cardanoMachine(): CardanoChain {
  return new CardanoChain(judge);
}

export function cardanoUnit({ token }: Pick<Vault, 'token'>): string {
  return token === null ? 'lovelace' : token.replace('.', '');
}
