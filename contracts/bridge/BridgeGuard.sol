// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {
    AccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {RateLimiter} from "@openzeppelin/contracts/utils/RateLimiter.sol";

/// @title Limits and challenges of an organization's transfers
/// @notice Stands on the exchange's chain and counts transfers of all chains, those without contracts included. Signers sign no payout that it has not cleared: counted in the
/// daily limit of its lane, its challenge over, and not vetoed. Amounts are units of the exchange's ledger.
/// Design: docs/design/bridge/contracts.md.
contract BridgeGuard is AccessControlDefaultAdminRules, Pausable {
    using RateLimiter for RateLimiter.SlidingWindow;

    /// @notice Who asks for room: whoever carries transfers on. What it asks for is only worth something to signers where lane and amount are those of the transfer.
    bytes32 public constant REQUESTER_ROLE = keccak256("REQUESTER_ROLE");
    /// @notice Who vetoes, and stops everything at once. Only the admin, behind its delay, lets it go on.
    bytes32 public constant WATCHTOWER_ROLE = keccak256("WATCHTOWER_ROLE");

    uint48 private constant WINDOW = 1 days;
    /// @dev Hours that a window has whole: room that is given back leaves with the hour in which it was counted, up to an hour before the amount itself does.
    uint256 private constant WINDOW_HOURS = 24;
    uint64 public constant CHALLENGE_MAX = 30 days;
    /// @notice Payments of one transfer.
    uint256 public constant PAYMENTS_MAX = 8;

    /// @notice What a lane, an asset by an external chain, may carry in 24 hours, and from which amount on for how long it may be challenged.
    struct Lane {
        uint208 limit;
        uint208 challengeFrom;
        uint64 challengeSeconds;
    }

    /// @notice How a transfer was counted.
    /// @param clearAt end of its challenge, in seconds
    /// @param countedAt since when its amount is in the window, in seconds
    struct Clearance {
        uint160 amount;
        uint40 clearAt;
        uint40 countedAt;
        bool isVetoed;
        bool isGivenBack;
        bytes32 lane;
    }

    /// @notice What was given back of a lane, by the hour in which it had been counted.
    /// @param total of all hours from `from` on
    struct GivenBack {
        uint208 total;
        uint48 from;
        mapping(uint256 hour => uint256) countedIn;
    }

    event LaneChanged(bytes32 indexed lane, uint208 limit, uint208 challengeFrom, uint64 challengeSeconds);
    event Requested(bytes32 indexed commitment, bytes32 indexed lane, uint256 amount, uint256 clearAt);
    event Vetoed(bytes32 indexed commitment, address indexed by);
    event RoomGivenBack(bytes32 indexed commitment, bytes32 indexed lane, uint256 amount);
    /// @notice Numbers of a transfer's payments are gapless from 0.
    event Announced(bytes32 indexed commitment, bytes32 indexed payment, uint256 number);

    /// @notice The lane has no room for it now.
    error OverLimit(bytes32 lane, uint256 room);
    /// @notice The transfer was counted with another amount, or in another lane.
    error CountedOtherwise(bytes32 commitment);
    error NotRequested(bytes32 commitment);
    error InvalidLane();
    error TooManyPayments(bytes32 commitment);
    /// @notice A payment of the transfer may be signed.
    error PaymentAnnounced(bytes32 commitment);

    mapping(bytes32 lane => Lane) private _lanes;
    mapping(bytes32 lane => RateLimiter.SlidingWindow) private _used;
    mapping(bytes32 lane => GivenBack) private _givenBack;
    mapping(bytes32 commitment => Clearance) private _clearances;
    mapping(bytes32 commitment => bytes32[]) private _payments;

    constructor(address admin, uint48 adminDelay, address requester, address watchtower)
        AccessControlDefaultAdminRules(adminDelay, admin)
    {
        _grantRole(REQUESTER_ROLE, requester);
        _grantRole(WATCHTOWER_ROLE, watchtower);
    }

    /// @notice Counts a transfer in its lane, once.
    function request(bytes32 commitment, bytes32 lane, uint160 amount)
        external
        onlyRole(REQUESTER_ROLE)
        whenNotPaused
    {
        Clearance storage known = _clearances[commitment];
        if (known.amount != 0) {
            if (known.amount != amount || known.lane != lane) revert CountedOtherwise(commitment);
            return;
        }
        uint256 open = room(lane);
        if (amount == 0 || amount > open) revert OverLimit(lane, open);
        _used[lane].consume(0, amount);
        Lane storage rules = _lanes[lane];
        uint256 wait = amount >= rules.challengeFrom ? rules.challengeSeconds : 0;
        uint40 clearAt = uint40(block.timestamp + wait);
        _clearances[commitment] = Clearance({
            amount: amount,
            clearAt: clearAt,
            countedAt: uint40(block.timestamp),
            isVetoed: false,
            isGivenBack: false,
            lane: lane
        });
        emit Requested(commitment, lane, amount, clearAt);
    }

    /// @notice Frees the room of a transfer that goes back, once. Nobody signs its payout any more, and no payment of it was announced before: whoever signs has seen the
    /// announcement first and the clearance after it, so no payout was signed by the clearance that this takes away. Refunds may be announced afterwards.
    function giveBack(bytes32 commitment) external onlyRole(REQUESTER_ROLE) whenNotPaused {
        Clearance storage known = _clearances[commitment];
        uint160 amount = known.amount;
        if (amount == 0) revert NotRequested(commitment);
        if (known.isGivenBack) return;
        if (_payments[commitment].length != 0) revert PaymentAnnounced(commitment);
        known.isVetoed = true;
        known.isGivenBack = true;
        bytes32 lane = known.lane;
        (uint256 total, uint256 from) = _returned(lane);
        GivenBack storage back = _givenBack[lane];
        uint256 hour = known.countedAt / 1 hours;
        if (hour >= from) {
            back.countedIn[hour] += amount;
            total += amount;
        }
        back.total = uint208(total);
        back.from = uint48(from);
        emit RoomGivenBack(commitment, lane, amount);
    }

    /// @notice Announces a payment of a transfer, payout or refund, before it is signed. All signers see the same list: one may be signed where each before it is known to pay
    /// nobody, so no two signers that each know of one payment let both through.
    function announce(bytes32 commitment, bytes32 payment) external onlyRole(REQUESTER_ROLE) {
        bytes32[] storage known = _payments[commitment];
        uint256 count = known.length;
        for (uint256 i = 0; i < count; ++i) {
            if (known[i] == payment) return;
        }
        if (count == PAYMENTS_MAX) revert TooManyPayments(commitment);
        known.push(payment);
        emit Announced(commitment, payment, count);
    }

    /// @notice Nobody signs the payout of that transfer any more. A watchtower may veto at any time: what is paid by then stays paid.
    function veto(bytes32 commitment) external onlyRole(WATCHTOWER_ROLE) {
        Clearance storage known = _clearances[commitment];
        if (known.amount == 0) revert NotRequested(commitment);
        if (known.isVetoed) return;
        known.isVetoed = true;
        emit Vetoed(commitment, msg.sender);
    }

    function setLane(bytes32 lane, Lane calldata rules) external onlyRole(DEFAULT_ADMIN_ROLE) {
        if (rules.challengeSeconds > CHALLENGE_MAX) revert InvalidLane();
        _lanes[lane] = rules;
        // It counts alone: what was given back is not against the limit.
        _used[lane].updateSettings(WINDOW, type(uint208).max);
        emit LaneChanged(lane, rules.limit, rules.challengeFrom, rules.challengeSeconds);
    }

    function pause() external onlyRole(WATCHTOWER_ROLE) {
        _pause();
    }

    function unpause() external onlyRole(DEFAULT_ADMIN_ROLE) {
        _unpause();
    }

    /// @notice What is known of a transfer; an amount of 0 for nothing. It does not answer while all is stopped: then signers cannot see, and sign nothing.
    function clearanceOf(bytes32 commitment) external view whenNotPaused returns (Clearance memory) {
        return _clearances[commitment];
    }

    /// @notice Payments of a transfer, in the order in which they were announced. It does not answer while all is stopped.
    function paymentsOf(bytes32 commitment) external view whenNotPaused returns (bytes32[] memory) {
        return _payments[commitment];
    }

    function laneOf(bytes32 lane) external view returns (Lane memory) {
        return _lanes[lane];
    }

    /// @notice What the lane has room for now.
    function room(bytes32 lane) public view returns (uint256) {
        (uint256 returned,) = _returned(lane);
        return Math.saturatingSub(_lanes[lane].limit, _used[lane].used(0) - returned);
    }

    /// @dev What was given back and is in the window, and the first hour that is whole in it.
    function _returned(bytes32 lane) private view returns (uint256 total, uint256 from) {
        GivenBack storage back = _givenBack[lane];
        uint256 known = back.from;
        total = back.total;
        from = (block.timestamp - WINDOW) / 1 hours + 1;
        if (total == 0 || from - known >= WINDOW_HOURS) return (0, from);
        for (; known < from; ++known) {
            total -= back.countedIn[known];
        }
    }
}
