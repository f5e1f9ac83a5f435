// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {
    AccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";

/// @title What a cluster of signers authorizes
/// @notice Holds the key of an organization's cluster and takes its signatures: Schnorr signatures of FROST(secp256k1, SHA-256) (RFC 9591 section 6.5), which any
/// three of five signers make together. A signature is over this contract on this chain, this generation of the key, and one reference, which is used once for good.
/// Design: docs/design/bridge/contracts.md.
abstract contract ClusterAuthorized is AccessControlDefaultAdminRules, Pausable {
    /// @notice Who stops payments at once. Only the admin, behind its delay, lets them go on.
    bytes32 public constant GUARDIAN_ROLE = keccak256("GUARDIAN_ROLE");

    /// @notice From announcing a key that the cluster has not signed for to taking it.
    uint64 public constant RECOVERY_DELAY = 30 days;

    /// @dev Order and field of the curve.
    uint256 private constant N = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141;
    uint256 private constant P = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEFFFFFC2F;
    /// @dev Domain of H2, with its length behind it (RFC 9380 section 5.3.1).
    bytes private constant DST_PRIME = "FROST-secp256k1-SHA256-v1chal\x1d";

    /// @notice A point of the curve: its x, and whether its y is odd.
    struct Key {
        uint256 x;
        bool isOdd;
    }

    /// @notice A Schnorr signature: the point R, and z.
    struct Signature {
        uint256 rx;
        uint256 ry;
        uint256 z;
    }

    /// @notice Who governs: the admin, which should be a timelock, the delay of its handover in seconds, and who may pause.
    struct Governance {
        address admin;
        uint48 adminDelay;
        address guardian;
    }

    enum Use {
        None,
        Paid,
        Cancelled
    }

    event KeyRotated(uint256 indexed generation, uint256 x, bool isOdd);
    event RecoveryBegun(uint256 x, bool isOdd, uint256 until);
    /// @notice The cluster has signed something: it has its key.
    event RecoveryRefuted();
    /// @notice The reference pays nobody, ever.
    event Cancelled(bytes32 indexed paymentRef);

    /// @notice The point is none that can be a key here: x has to be below the order.
    error InvalidKey();
    error InvalidSignature();
    error ReferenceUsed(bytes32 paymentRef);
    error NoRecovery(uint256 until);

    Key private _key;
    Key private _recoveryKey;

    /// @notice Raised by each rotation: signatures of the key before it open nothing.
    uint64 public generation;

    /// @notice From when on the recovery may be finished, in seconds; 0 where none has begun.
    uint64 public recoveryUntil;

    /// @notice What a reference was used for.
    mapping(bytes32 paymentRef => Use) public useOf;

    constructor(Governance memory governance, Key memory firstKey)
        AccessControlDefaultAdminRules(governance.adminDelay, governance.admin)
    {
        _grantRole(GUARDIAN_ROLE, governance.guardian);
        _rotate(firstKey);
    }

    function key() external view returns (Key memory) {
        return _key;
    }

    /// @notice Takes another key, by a signature of the one before.
    function rotateKey(Key calldata next, Signature calldata signature) external {
        _authorize(_message("rotate", bytes32(next.x), address(0), address(0), next.isOdd ? 1 : 0), signature);
        _rotate(next);
    }

    /// @notice The last resort, where the cluster has lost its key: announces another. Whatever the cluster signs before the end of the delay refutes it, so the admin takes
    /// nothing from a cluster that is there.
    function beginRecovery(Key calldata next) external onlyRole(DEFAULT_ADMIN_ROLE) {
        _requireKey(next);
        _recoveryKey = next;
        recoveryUntil = uint64(block.timestamp) + RECOVERY_DELAY;
        emit RecoveryBegun(next.x, next.isOdd, recoveryUntil);
    }

    function finishRecovery() external onlyRole(DEFAULT_ADMIN_ROLE) {
        uint64 until = recoveryUntil;
        if (until == 0 || block.timestamp < until) revert NoRecovery(until);
        _rotate(_recoveryKey);
    }

    /// @notice Uses a reference up, so that what was signed for it pays nobody any more.
    function cancel(bytes32 paymentRef, Signature calldata signature) external {
        _authorize(_message("cancel", paymentRef, address(0), address(0), 0), signature);
        _use(paymentRef, Use.Cancelled);
        emit Cancelled(paymentRef);
    }

    function pause() external onlyRole(GUARDIAN_ROLE) {
        _pause();
    }

    function unpause() external onlyRole(DEFAULT_ADMIN_ROLE) {
        _unpause();
    }

    /// @dev What is signed: nothing that can be read in two ways, and nothing that means the same anywhere else.
    function _message(string memory action, bytes32 paymentRef, address token, address to, uint256 amount)
        internal
        view
        returns (bytes32)
    {
        return keccak256(
            abi.encode(
                keccak256("edge.bridge.v1"),
                block.chainid,
                address(this),
                generation,
                keccak256(bytes(action)),
                paymentRef,
                token,
                to,
                amount
            )
        );
    }

    /// @dev Requires that the cluster has signed it.
    function _authorize(bytes32 message, Signature calldata signature) internal {
        _verify(message, signature);
        if (recoveryUntil != 0) {
            recoveryUntil = 0;
            emit RecoveryRefuted();
        }
    }

    function _use(bytes32 paymentRef, Use use) internal {
        if (useOf[paymentRef] != Use.None) revert ReferenceUsed(paymentRef);
        useOf[paymentRef] = use;
    }

    /// @dev z·G = R + c·P, by ecrecover: with r = x of P, s = -c·x and hash = -z·x it gives the address of z·G - c·P, which has to be that of R.
    function _verify(bytes32 message, Signature calldata signature) private view {
        (uint256 rx, uint256 ry, uint256 z) = (signature.rx, signature.ry, signature.z);
        if (rx >= P || ry >= P || z == 0 || z >= N) revert InvalidSignature();
        if (mulmod(ry, ry, P) != addmod(mulmod(mulmod(rx, rx, P), rx, P), 7, P)) revert InvalidSignature();
        uint256 x = _key.x;
        bytes memory challenged = abi.encodePacked(
            ry & 1 == 0 ? bytes1(0x02) : bytes1(0x03), rx, _key.isOdd ? bytes1(0x03) : bytes1(0x02), x, message
        );
        uint256 cx = mulmod(_challenge(challenged), x, N);
        if (cx == 0) revert InvalidSignature();
        address found = ecrecover(bytes32(N - mulmod(z, x, N)), _key.isOdd ? 28 : 27, bytes32(x), bytes32(N - cx));
        address expected = address(uint160(uint256(keccak256(abi.encodePacked(rx, ry)))));
        if (found == address(0) || found != expected) revert InvalidSignature();
    }

    /// @dev H2 of the suite: hash_to_field by expand_message_xmd of SHA-256 to 48 bytes (RFC 9380 sections 5.2 and 5.3.1), modulo the order.
    function _challenge(bytes memory message) private pure returns (uint256) {
        bytes32 b0 = sha256(abi.encodePacked(new bytes(64), message, uint16(48), uint8(0), DST_PRIME));
        bytes32 b1 = sha256(abi.encodePacked(b0, uint8(1), DST_PRIME));
        bytes32 b2 = sha256(abi.encodePacked(b0 ^ b1, uint8(2), DST_PRIME));
        return addmod(mulmod(uint256(b1), 1 << 128, N), uint256(b2) >> 128, N);
    }

    function _requireKey(Key memory next) private pure {
        if (next.x == 0 || next.x >= N) revert InvalidKey();
        // A point that is not on the curve has no address.
        if (ecrecover(bytes32(0), next.isOdd ? 28 : 27, bytes32(next.x), bytes32(uint256(1))) == address(0)) {
            revert InvalidKey();
        }
    }

    function _rotate(Key memory next) private {
        _requireKey(next);
        _key = next;
        generation += 1;
        recoveryUntil = 0;
        emit KeyRotated(generation, next.x, next.isOdd);
    }
}
