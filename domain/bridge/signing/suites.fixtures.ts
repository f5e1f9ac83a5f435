import type { FrostScheme } from './suites.ts';

interface FrostVector {
  readonly scheme: FrostScheme;
  readonly groupSecret: string;
  readonly groupKey: string;
  readonly message: string;
  /** Of the sharing polynomial, after the secret. */
  readonly coefficient: string;
  readonly signers: readonly {
    readonly identifier: number;
    readonly share: string;
    readonly hidingRandomness: string;
    readonly bindingRandomness: string;
    readonly hidingNonce: string;
    readonly signatureShare: string | null;
  }[];
  readonly signature: string;
}

/** RFC 9591, Appendix E.1 and E.5: two of three, signers 1 and 3. */
export const RFC_9591_VECTORS: readonly FrostVector[] = [
  {
    scheme: 'frost-ed25519',
    groupSecret: '7b1c33d3f5291d85de664833beb1ad469f7fb6025a0ec78b3a790c6e13a98304',
    groupKey: '15d21ccd7ee42959562fc8aa63224c8851fb3ec85a3faf66040d380fb9738673',
    message: '74657374',
    coefficient: '178199860edd8c62f5212ee91eff1295d0d670ab4ed4506866bae57e7030b204',
    signers: [
      {
        identifier: 1,
        share: '929dcc590407aae7d388761cddb0c0db6f5627aea8e217f4a033f2ec83d93509',
        hidingRandomness: '0fd2e39e111cdc266f6c0f4d0fd45c947761f1f5d3cb583dfcb9bbaf8d4c9fec',
        bindingRandomness: '69cd85f631d5f7f2721ed5e40519b1366f340a87c2f6856363dbdcda348a7501',
        hidingNonce: '812d6104142944d5a55924de6d49940956206909f2acaeedecda2b726e630407',
        signatureShare: '001719ab5a53ee1a12095cd088fd149702c0720ce5fd2f29dbecf24b7281b603',
      },
      {
        identifier: 3,
        share: 'd3cb090a075eb154e82fdb4b3cb507f110040905468bb9c46da8bdea643a9a02',
        hidingRandomness: '86d64a260059e495d0fb4fcc17ea3da7452391baa494d4b00321098ed2a0062f',
        bindingRandomness: '13e6b25afb2eba51716a9a7d44130c0dbae0004a9ef8d7b5550c8a0e07c61775',
        hidingNonce: 'c256de65476204095ebdc01bd11dc10e57b36bc96284595b8215222374f99c0e',
        signatureShare: null,
      },
    ],
    signature:
      '36282629c383bb820a88b71cae937d41f2f2adfcc3d02e55507e2fb9e2dd3cbebd9d2b0844e49ae0f3fa935161e1419aab7b47d21a37ebeae1f17d4987b3160b',
  },
  {
    scheme: 'frost-secp256k1',
    groupSecret: '0d004150d27c3bf2a42f312683d35fac7394b1e9e318249c1bfe7f0795a83114',
    groupKey: '02f37c34b66ced1fb51c34a90bdae006901f10625cc06c4f64663b0eae87d87b4f',
    message: '74657374',
    coefficient: 'fbf85eadae3058ea14f19148bb72b45e4399c0b16028acaf0395c9b03c823579',
    signers: [
      {
        identifier: 1,
        share: '08f89ffe80ac94dcb920c26f3f46140bfc7f95b493f8310f5fc1ea2b01f4254c',
        hidingRandomness: '7ea5ed09af19f6ff21040c07ec2d2adbd35b759da5a401d4c99dd26b82391cb2',
        bindingRandomness: '47acab018f116020c10cb9b9abdc7ac10aae1b48ca6e36dc15acb6ec9be5cdc5',
        hidingNonce: '841d3a6450d7580b4da83c8e618414d0f024391f2aeb511d7579224420aa81f0',
        signatureShare: 'c4fce1775a1e141fb579944166eab0d65eefe7b98d480a569bbbfcb14f91c197',
      },
      {
        identifier: 3,
        share: '00e95d59dd0d46b0e303e500b62b7ccb0e555d49f5b849f5e748c071da8c0dbc',
        hidingRandomness: 'e6cc56ccbd0502b3f6f831d91e2ebd01c4de0479e0191b66895a4ffd9b68d544',
        bindingRandomness: '7203d55eb82a5ca0d7d83674541ab55f6e76f1b85391d2c13706a89a064fd5b9',
        hidingNonce: '2b19b13f193f4ce83a399362a90cdc1e0ddcd83e57089a7af0bdca71d47869b2',
        signatureShare: '0160fd0d388932f4826d2ebcd6b9eaba734f7c71cf25b4279a4ca2581e47b18d',
      },
    ],
    signature:
      '0205b6d04d3774c8929413e3c76024d54149c372d57aae62574ed74319b5ea14d0c65dde8492a7471437e6c2fe3da49b90d23f642b5c6dbe7e36089f096dd97324',
  },
];
