// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {
    AccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";

interface IWrappedAsset {
    function burnOf(bytes32 commitment, address from) external view returns (uint256);
}

/// @title What the signers of an organization's cluster stand in for
/// @notice Each of the five has a key of its own and a stake in the chain's coin. Whoever proves that a signer has lied takes a part of its stake; the rest goes to those that
/// it was staked for. Two lies are proved by what a signer has signed alone: two words on one thing, and funds that never were.
contract SignerStake is AccessControlDefaultAdminRules, ReentrancyGuard {
    uint256 public constant SIGNERS = 5;
    /// @notice Of a slashed stake, for who has proved it: hundredths of a percent.
    uint256 public constant REWARD_BPS = 1_000;
    /// @notice From asking for a stake back to having it: proofs have so long.
    uint64 public constant UNBONDING = 21 days;
    /// @notice A burn that is not there so long after it was attested never was.
    uint64 public constant BURN_GRACE = 1 days;

    /// @notice What a signer's word is on.
    /// @param kind "funds" or "payment"
    /// @param subject commitment of the transfer, or the reference of the payment
    /// @param digest of what the signer says of it
    /// @param wrapped of "funds" that are a burn of wrapped tokens: their contract
    /// @param burner who has burnt them
    /// @param burnAmount so many; 0 where the funds are no burn
    /// @param saidAt when it was said, in seconds
    struct Claim {
        bytes32 kind;
        bytes32 subject;
        bytes32 digest;
        address wrapped;
        address burner;
        uint256 burnAmount;
        uint64 saidAt;
    }

    struct Signer {
        address account;
        uint256 stake;
        uint64 unbondedAt;
        bool isSlashed;
    }

    event Staked(uint256 indexed signer, address account, uint256 stake);
    event Unbonding(uint256 indexed signer, uint64 until);
    event Withdrawn(uint256 indexed signer, uint256 stake);
    event Slashed(uint256 indexed signer, bytes32 indexed subject, address indexed prover, uint256 stake);
    event SignerReplaced(uint256 indexed signer, address account);

    error NoSuchSigner(uint256 signer);
    error NotTheSigner();
    error StillBonded(uint64 until);
    error NothingStaked();
    error NoProof();

    bytes32 private constant FUNDS = "funds";

    /// @notice The organization, in every word of its signers.
    bytes32 public immutable organization;
    /// @notice Who gets what is slashed.
    address public immutable beneficiary;

    Signer[SIGNERS] private _signers;

    constructor(
        address admin,
        uint48 adminDelay,
        bytes32 organization_,
        address beneficiary_,
        address[SIGNERS] memory accounts
    ) AccessControlDefaultAdminRules(adminDelay, admin) {
        organization = organization_;
        beneficiary = beneficiary_;
        for (uint256 i = 0; i < SIGNERS; ++i) {
            _signers[i].account = accounts[i];
        }
    }

    /// @notice Adds to a signer's stake; anybody may.
    function stake(uint256 signer) external payable {
        Signer storage found = _signer(signer);
        if (msg.value == 0) revert NothingStaked();
        found.stake += msg.value;
        emit Staked(signer, found.account, found.stake);
    }

    /// @notice A signer asks for its stake back.
    function unbond(uint256 signer) external {
        Signer storage found = _signer(signer);
        if (msg.sender != found.account) revert NotTheSigner();
        if (found.stake == 0) revert NothingStaked();
        found.unbondedAt = uint64(block.timestamp) + UNBONDING;
        emit Unbonding(signer, found.unbondedAt);
    }

    function withdraw(uint256 signer) external nonReentrant {
        Signer storage found = _signer(signer);
        if (msg.sender != found.account) revert NotTheSigner();
        uint64 until = found.unbondedAt;
        if (until == 0 || block.timestamp < until) revert StillBonded(until);
        uint256 amount = found.stake;
        found.stake = 0;
        found.unbondedAt = 0;
        emit Withdrawn(signer, amount);
        Address.sendValue(payable(msg.sender), amount);
    }

    /// @notice Another signer takes the place of one that has no stake left in it.
    function replaceSigner(uint256 signer, address account) external onlyRole(DEFAULT_ADMIN_ROLE) {
        Signer storage found = _signer(signer);
        if (found.stake != 0) revert StillBonded(found.unbondedAt);
        _signers[signer] = Signer({account: account, stake: 0, unbondedAt: 0, isSlashed: false});
        emit SignerReplaced(signer, account);
    }

    /// @notice The signer has said two things of one.
    function proveEquivocation(
        uint256 signer,
        Claim calldata one,
        bytes calldata oneSignature,
        Claim calldata other,
        bytes calldata otherSignature
    ) external nonReentrant {
        if (one.kind != other.kind || one.subject != other.subject || one.digest == other.digest) revert NoProof();
        _said(signer, one, oneSignature);
        _said(signer, other, otherSignature);
        _slash(signer, one.subject);
    }

    /// @notice The signer has attested a burn that is not there, or of another amount.
    function proveNoBurn(uint256 signer, Claim calldata claim, bytes calldata signature) external nonReentrant {
        if (claim.kind != FUNDS || claim.burnAmount == 0) revert NoProof();
        if (block.timestamp < uint256(claim.saidAt) + BURN_GRACE) revert NoProof();
        if (IWrappedAsset(claim.wrapped).burnOf(claim.subject, claim.burner) == claim.burnAmount) revert NoProof();
        _said(signer, claim, signature);
        _slash(signer, claim.subject);
    }

    function signerOf(uint256 signer) external view returns (Signer memory) {
        return _signer(signer);
    }

    /// @notice What a signer signs.
    function digestOf(uint256 signer, Claim calldata claim) public view returns (bytes32) {
        return keccak256(
            abi.encode(keccak256("edge.bridge.claim.v1"), block.chainid, address(this), organization, signer, claim)
        );
    }

    function _said(uint256 signer, Claim calldata claim, bytes calldata signature) private view {
        address account = _signer(signer).account;
        if (ECDSA.recover(digestOf(signer, claim), signature) != account) revert NoProof();
    }

    function _slash(uint256 signer, bytes32 subject) private {
        Signer storage found = _signer(signer);
        uint256 amount = found.stake;
        if (amount == 0) revert NothingStaked();
        found.stake = 0;
        found.isSlashed = true;
        uint256 reward = (amount * REWARD_BPS) / 10_000;
        emit Slashed(signer, subject, msg.sender, amount);
        Address.sendValue(payable(msg.sender), reward);
        Address.sendValue(payable(beneficiary), amount - reward);
    }

    function _signer(uint256 signer) private view returns (Signer storage) {
        if (signer >= SIGNERS) revert NoSuchSigner(signer);
        return _signers[signer];
    }
}
