// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {RateLimiter} from "@openzeppelin/contracts/utils/RateLimiter.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
import {ClusterAuthorized} from "./ClusterAuthorized.sol";

/// @title Vault of one organization on an external chain
/// @notice Takes deposits for transfers, each once, and pays out by signatures of the organization's cluster, within a daily limit for each token. Nobody else takes anything
/// out of it. The chain's own coin is the token at address 0. Design: docs/design/bridge/contracts.md.
contract BridgeVault is ClusterAuthorized, ReentrancyGuard {
    using SafeERC20 for IERC20;
    using RateLimiter for RateLimiter.SlidingWindow;

    uint48 private constant WINDOW = 1 days;

    /// @notice What a token may pay out in 24 hours.
    struct Limit {
        address token;
        uint208 amount;
    }

    event Deposited(bytes32 indexed commitment, address indexed token, address indexed from, uint256 amount);
    event Released(bytes32 indexed paymentRef, address indexed token, address indexed to, uint256 amount);
    event LimitChanged(address indexed token, uint208 amount);

    error DepositedAlready(bytes32 commitment, address from);
    error NothingDeposited();
    /// @notice The vault may not pay out so much of that token in a day: what came in could not go out again.
    error OverLimit(address token, uint256 limit);
    /// @notice The coin that came is not what the call says, or the token took a fee.
    error WrongAmount(uint256 expected, uint256 found);

    mapping(address token => RateLimiter.SlidingWindow) private _outflow;

    /// @notice What a token may pay out in 24 hours; 0 for tokens that the vault does not carry.
    mapping(address token => uint208) public limitOf;

    /// @notice Whether funds have come for a transfer from that address: no second ones do. What others pay in for it is none of the transfer's, so that nobody can be
    /// forestalled.
    mapping(bytes32 commitment => mapping(address from => bool)) public isDeposited;

    constructor(Governance memory governance, Key memory firstKey, Limit[] memory limits)
        ClusterAuthorized(governance, firstKey)
    {
        for (uint256 i = 0; i < limits.length; ++i) {
            _setLimit(limits[i]);
        }
    }

    /// @notice Pays in the funds of a transfer.
    /// @param commitment to the transfer's terms: whom they are for stands in it
    function deposit(bytes32 commitment, address token, uint256 amount) external payable whenNotPaused nonReentrant {
        if (amount == 0 || commitment == 0) revert NothingDeposited();
        if (amount > limitOf[token]) revert OverLimit(token, limitOf[token]);
        if (isDeposited[commitment][msg.sender]) revert DepositedAlready(commitment, msg.sender);
        isDeposited[commitment][msg.sender] = true;
        uint256 coin = token == address(0) ? amount : 0;
        if (msg.value != coin) revert WrongAmount(coin, msg.value);
        if (token != address(0)) {
            uint256 before = IERC20(token).balanceOf(address(this));
            IERC20(token).safeTransferFrom(msg.sender, address(this), amount);
            uint256 received = IERC20(token).balanceOf(address(this)) - before;
            if (received != amount) revert WrongAmount(amount, received);
        }
        emit Deposited(commitment, token, msg.sender, amount);
    }

    /// @notice Pays out what the cluster has signed. Anybody may hand it in.
    function release(bytes32 paymentRef, address token, address to, uint256 amount, Signature calldata signature)
        external
        whenNotPaused
        nonReentrant
    {
        _authorize(_message("release", paymentRef, token, to, amount), signature);
        _use(paymentRef, Use.Paid);
        _outflow[token].consume(0, amount);
        emit Released(paymentRef, token, to, amount);
        if (token == address(0)) Address.sendValue(payable(to), amount);
        else IERC20(token).safeTransfer(to, amount);
    }

    function setLimit(Limit calldata limit) external onlyRole(DEFAULT_ADMIN_ROLE) {
        _setLimit(limit);
    }

    /// @notice What the token may still pay out now.
    function room(address token) external view returns (uint256) {
        return _outflow[token].available(0);
    }

    function _setLimit(Limit memory limit) private {
        limitOf[limit.token] = limit.amount;
        _outflow[limit.token].updateSettings(WINDOW, limit.amount);
        emit LimitChanged(limit.token, limit.amount);
    }
}
