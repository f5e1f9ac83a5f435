const PAGE_NODES = 50;

/** Coins of an owner, with the epoch and its price of gas. */
export const COINS = `query ($owner: SuiAddress!, $after: String) {
  epoch { epochId referenceGasPrice }
  address(address: $owner) {
    objects(first: ${PAGE_NODES}, after: $after, filter: { type: "0x2::coin::Coin<0x2::sui::SUI>" }) {
      pageInfo { hasNextPage endCursor }
      nodes { address version digest contents { json } }
    }
  }
}`;

/**
 * Transactions that touch an address, oldest first, with what they changed of balances and the first of the objects that they left. A balance also changes by what is in no coin (`0x2::balance::send_funds`,
 * or an object's own), which no payment of ours can spend.
 */
export const RECEIVED = `query ($owner: SuiAddress!, $after: String) {
  transactions(first: ${PAGE_NODES}, after: $after, filter: { affectedAddress: $owner }) {
    pageInfo { hasNextPage endCursor }
    nodes {
      digest
      sender { address }
      effects {
        status
        checkpoint { sequenceNumber }
        balanceChanges(first: ${PAGE_NODES}) { nodes { amount owner { address } coinType { repr } } }
        objectChanges(first: ${PAGE_NODES}) {
          nodes {
            outputState {
              owner { ... on AddressOwner { address { address } } }
              asMoveObject { contents { type { repr } json } }
            }
          }
        }
      }
    }
  }
}`;

/** What made the next version of a coin. */
export const USE = `query ($coin: SuiAddress!, $version: UInt53!) {
  epoch { epochId }
  object(address: $coin, version: $version) {
    objectVersionsAfter(first: 1) { nodes { previousTransaction { digest effects { status } } } }
  }
}`;

/** Whether an address is that of an object or a package. */
export const OBJECT = `query ($address: SuiAddress!) { object(address: $address) { address } }`;

/** Hands a signed transaction in, and waits until it is final. */
export const EXECUTE = `mutation ($transaction: Base64!, $signatures: [Base64!]!) {
  executeTransaction(transactionDataBcs: $transaction, signatures: $signatures) { effects { status } }
}`;
