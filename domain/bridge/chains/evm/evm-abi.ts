import { parseAbi } from 'viem';

/** What adapters call of contracts/bridge; a test holds it against the compiled interfaces. */
export const BRIDGE_ABI = parseAbi([
  'struct Signature { uint256 rx; uint256 ry; uint256 z; }',
  'struct Clearance { uint208 amount; uint40 clearAt; bool isVetoed; bytes32 lane; }',
  'function generation() view returns (uint64)',
  'function useOf(bytes32 paymentRef) view returns (uint8)',
  'function cancel(bytes32 paymentRef, Signature signature)',
  'function deposit(bytes32 commitment, address token, uint256 amount) payable',
  'function release(bytes32 paymentRef, address token, address to, uint256 amount, Signature signature)',
  'function mint(bytes32 paymentRef, address to, uint256 amount, Signature signature)',
  'function burn(bytes32 commitment, uint256 amount)',
  'function request(bytes32 commitment, bytes32 lane, uint208 amount)',
  'function announce(bytes32 commitment, bytes32 payment)',
  'function paymentsOf(bytes32 commitment) view returns (bytes32[])',
  'function veto(bytes32 commitment)',
  'function clearanceOf(bytes32 commitment) view returns (Clearance)',
  'struct Lane { uint208 limit; uint208 challengeFrom; uint64 challengeSeconds; }',
  'function room(bytes32 lane) view returns (uint256)',
  'function laneOf(bytes32 lane) view returns (Lane)',
  'function balanceOf(address account) view returns (uint256)',
  'event Deposited(bytes32 indexed commitment, address indexed token, address indexed from, uint256 amount)',
  'event Burned(bytes32 indexed commitment, address indexed from, uint256 amount)',
  'event Released(bytes32 indexed paymentRef, address indexed token, address indexed to, uint256 amount)',
  'event Minted(bytes32 indexed paymentRef, address indexed to, uint256 amount)',
  'event Cancelled(bytes32 indexed paymentRef)',
  'event KeyRotated(uint256 indexed generation, uint256 x, bool isOdd)',
]);
