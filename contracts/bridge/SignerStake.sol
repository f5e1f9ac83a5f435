// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {
    AccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {Create2} from "@openzeppelin/contracts/utils/Create2.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";

interface IWrappedAsset {
    function burnOf(bytes32 commitment, address from) external view returns (uint256);
}

/// @title What the signers of an organization's cluster stand in for
/// @notice Each of the five has a key of its own and a stake in the chain's coin. Whoever proves that a signer has lied gets a part of its stake; the rest goes to those that
/// it was staked for. Two lies are proved by what a signer has signed alone: two words on one thing, and a burn that never was. A stake is its account's, not its seat's: it
/// answers for what the account has said until it is withdrawn, also by one that has left. Design: docs/design/bridge/contracts.md.
contract SignerStake is AccessControlDefaultAdminRules, ReentrancyGuard {
    uint256 public constant SIGNERS = 5;
    /// @notice Of a slashed stake, for who has proved it: hundredths of a percent.
    uint256 public constant REWARD_BPS = 1_000;
    /// @notice From leaving a seat to having the stake back: proofs have so long.
    uint64 public constant UNBONDING = 21 days;
    /// @notice A burn that is not there so long after it had to be there never was.
    uint64 public constant BURN_GRACE = 1 days;

    /// @notice What a signer's word is on.
    /// @param kind "funds", "payment" or "cancel": two kinds never contradict each other
    /// @param subject commitment of the transfer, or the reference of the payment
    /// @param digest of what the signer says of it. An honest signer says one thing: of funds, nothing goes into it that a reorganization changes
    /// @param wrapped of "funds" that are a burn of wrapped tokens: their contract
    /// @param burner who has burnt them
    /// @param burnAmount so many; 0 where the funds are no burn
    /// @param dueAt when the funds had to be there, in seconds: the end of the transfer's quote
    struct Claim {
        bytes32 kind;
        bytes32 subject;
        bytes32 digest;
        address wrapped;
        address burner;
        uint256 burnAmount;
        uint64 dueAt;
    }

    /// @param unbondedAt from when on it may be withdrawn, in seconds; 0 for one that has its seat
    struct Bond {
        uint256 stake;
        uint64 unbondedAt;
        uint8 signer;
        bool isKnown;
        bool isSlashed;
    }

    event Seated(uint256 indexed signer, address indexed account);
    event Staked(uint256 indexed signer, address indexed account, uint256 stake);
    event Left(uint256 indexed signer, address indexed account, uint64 unbondedAt);
    event Withdrawn(address indexed account, uint256 stake);
    event Slashed(uint256 indexed signer, address indexed account, address indexed prover, bytes32 subject, uint256 stake);
    event Collected(address indexed account, uint256 amount);
    event Recognized(address indexed token);

    error NoSuchSigner(uint256 signer);
    /// @notice Nobody is in the seat.
    error EmptySeat(uint256 signer);
    error NotTheSigner();
    /// @notice An account has one seat, once.
    error SeatedBefore(address account);
    error StillBonded(uint64 until);
    error NothingStaked();
    error NothingOwed();
    error NoProof();
    error SlashedAlready(address account);
    /// @notice Its code is another, or nothing stands there.
    error NotOfTheBridge();

    bytes32 private constant FUNDS = "funds";
    /// @dev Arachnid's deterministic deployment proxy: what it deploys stands at an address that follows from its code.
    address private constant DEPLOYER = 0x4e59b44847b379578588920cA78FbF26c0B4956C;

    /// @notice The organization, in every word of its signers.
    bytes32 public immutable organization;
    /// @notice Who gets what is slashed.
    address public immutable beneficiary;
    /// @notice keccak256 of the creation code of the bridge's wrapped tokens, without arguments.
    bytes32 public immutable wrappedCode;

    /// @notice Accounts of the five; 0 for an empty seat.
    address[SIGNERS] public accountOf;
    mapping(address account => Bond) private _bonds;
    /// @notice Of slashed stakes, what an account has not collected yet.
    mapping(address account => uint256) public owedTo;
    /// @notice Wrapped tokens that are shown to have the bridge's code: what they say of burns never changes.
    mapping(address token => bool) public isRecognized;

    constructor(
        address admin,
        uint48 adminDelay,
        bytes32 organization_,
        address beneficiary_,
        bytes32 wrappedCode_,
        address[SIGNERS] memory accounts
    ) AccessControlDefaultAdminRules(adminDelay, admin) {
        organization = organization_;
        beneficiary = beneficiary_;
        wrappedCode = wrappedCode_;
        for (uint256 i = 0; i < SIGNERS; ++i) {
            _seat(i, accounts[i]);
        }
    }

    /// @notice Adds to the stake of who has the seat; anybody may.
    function stake(uint256 signer) external payable {
        address account = _occupant(signer);
        if (msg.value == 0) revert NothingStaked();
        Bond storage bond = _bonds[account];
        bond.stake += msg.value;
        emit Staked(signer, account, bond.stake);
    }

    /// @notice A signer leaves its seat. Its stake answers for it a while longer.
    function resign(uint256 signer) external {
        if (msg.sender != _occupant(signer)) revert NotTheSigner();
        _leave(signer, msg.sender);
    }

    /// @notice Gives another account the seat. Who has had it leaves.
    function seat(uint256 signer, address account) external onlyRole(DEFAULT_ADMIN_ROLE) {
        if (signer >= SIGNERS) revert NoSuchSigner(signer);
        address before = accountOf[signer];
        if (before != address(0)) _leave(signer, before);
        _seat(signer, account);
    }

    /// @notice Takes the caller's stake back, once its time is over.
    function withdraw() external nonReentrant {
        Bond storage bond = _bonds[msg.sender];
        uint256 amount = bond.stake;
        if (amount == 0) revert NothingStaked();
        uint64 until = bond.unbondedAt;
        if (until == 0 || block.timestamp < until) revert StillBonded(until);
        bond.stake = 0;
        emit Withdrawn(msg.sender, amount);
        Address.sendValue(payable(msg.sender), amount);
    }

    /// @notice The signer has said two things of one.
    function proveEquivocation(
        uint256 signer,
        Claim calldata one,
        bytes calldata oneSignature,
        Claim calldata other,
        bytes calldata otherSignature
    ) external {
        if (one.kind != other.kind || one.subject != other.subject || one.digest == other.digest) revert NoProof();
        address account = _speaker(signer, one, oneSignature);
        if (_speaker(signer, other, otherSignature) != account) revert NoProof();
        _slash(signer, account, one.subject);
    }

    /// @notice Shows that a wrapped token has the bridge's code; anybody may. Its address follows from its code, so nobody has to be believed, the admin neither.
    function recognize(bytes calldata creationCode, bytes calldata arguments, bytes32 salt) external {
        if (keccak256(creationCode) != wrappedCode) revert NotOfTheBridge();
        address token = Create2.computeAddress(salt, keccak256(bytes.concat(creationCode, arguments)), DEPLOYER);
        if (token.code.length == 0) revert NotOfTheBridge();
        isRecognized[token] = true;
        emit Recognized(token);
    }

    /// @notice The signer has attested a burn that is not there, or of another amount. A token whose code is not the bridge's proves nothing: it may have said otherwise before.
    function proveNoBurn(uint256 signer, Claim calldata claim, bytes calldata signature) external {
        if (claim.kind != FUNDS || claim.burnAmount == 0) revert NoProof();
        if (!isRecognized[claim.wrapped]) revert NoProof();
        if (block.timestamp < uint256(claim.dueAt) + BURN_GRACE) revert NoProof();
        if (IWrappedAsset(claim.wrapped).burnOf(claim.subject, claim.burner) == claim.burnAmount) revert NoProof();
        _slash(signer, _speaker(signer, claim, signature), claim.subject);
    }

    /// @notice Pays an account what slashing has brought it. Who cannot take it cannot hinder slashing.
    function collect(address account) external nonReentrant {
        uint256 amount = owedTo[account];
        if (amount == 0) revert NothingOwed();
        owedTo[account] = 0;
        emit Collected(account, amount);
        Address.sendValue(payable(account), amount);
    }

    function bondOf(address account) external view returns (Bond memory) {
        return _bonds[account];
    }

    /// @notice What a signer signs.
    function digestOf(uint256 signer, Claim calldata claim) public view returns (bytes32) {
        return keccak256(
            abi.encode(keccak256("edge.bridge.claim.v1"), block.chainid, address(this), organization, signer, claim)
        );
    }

    /// @dev Who has said it, in this seat, now or before.
    function _speaker(uint256 signer, Claim calldata claim, bytes calldata signature) private view returns (address) {
        address account = ECDSA.recover(digestOf(signer, claim), signature);
        Bond storage bond = _bonds[account];
        if (!bond.isKnown || bond.signer != signer) revert NoProof();
        return account;
    }

    function _slash(uint256 signer, address account, bytes32 subject) private {
        Bond storage bond = _bonds[account];
        if (bond.isSlashed) revert SlashedAlready(account);
        uint256 amount = bond.stake;
        bond.stake = 0;
        bond.isSlashed = true;
        uint256 reward = (amount * REWARD_BPS) / 10_000;
        owedTo[msg.sender] += reward;
        owedTo[beneficiary] += amount - reward;
        emit Slashed(signer, account, msg.sender, subject, amount);
        if (accountOf[signer] == account) _leave(signer, account);
    }

    function _seat(uint256 signer, address account) private {
        if (account == address(0) || _bonds[account].isKnown) revert SeatedBefore(account);
        _bonds[account] = Bond({stake: 0, unbondedAt: 0, signer: uint8(signer), isKnown: true, isSlashed: false});
        accountOf[signer] = account;
        emit Seated(signer, account);
    }

    function _leave(uint256 signer, address account) private {
        uint64 until = uint64(block.timestamp) + UNBONDING;
        accountOf[signer] = address(0);
        _bonds[account].unbondedAt = until;
        emit Left(signer, account, until);
    }

    function _occupant(uint256 signer) private view returns (address account) {
        if (signer >= SIGNERS) revert NoSuchSigner(signer);
        account = accountOf[signer];
        if (account == address(0)) revert EmptySeat(signer);
    }
}
