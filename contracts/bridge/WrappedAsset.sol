// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {RateLimiter} from "@openzeppelin/contracts/utils/RateLimiter.sol";
import {ClusterAuthorized} from "./ClusterAuthorized.sol";

/// @title An external asset on the exchange's chain
/// @notice One contract for each organization and vault: what is out here lies there. Minted by signatures of the organization's cluster, within a daily limit, and burnt by
/// whoever has it, for a transfer back. Design: docs/design/bridge/contracts.md.
contract WrappedAsset is ERC20, ERC20Permit, ClusterAuthorized {
    using RateLimiter for RateLimiter.SlidingWindow;

    uint48 private constant WINDOW = 1 days;

    /// @notice What it is called, and what may be minted in 24 hours.
    struct Unit {
        string name;
        string symbol;
        uint8 decimals;
        uint208 dailyLimit;
    }

    event Minted(bytes32 indexed paymentRef, address indexed to, uint256 amount);
    event Burned(bytes32 indexed commitment, address indexed from, uint256 amount);
    event LimitChanged(uint208 amount);

    error BurnedAlready(bytes32 commitment, address from);
    error NothingBurned();

    uint8 private immutable _decimals;

    RateLimiter.SlidingWindow private _inflow;

    /// @notice What that address has burnt for a transfer: no second time.
    mapping(bytes32 commitment => mapping(address from => uint256)) public burnOf;

    constructor(Unit memory unit, Governance memory governance, Key memory firstKey)
        ERC20(unit.name, unit.symbol)
        ERC20Permit(unit.name)
        ClusterAuthorized(governance, firstKey)
    {
        _decimals = unit.decimals;
        _setLimit(unit.dailyLimit);
    }

    /// @notice Mints what the cluster has signed. Anybody may hand it in.
    function mint(bytes32 paymentRef, address to, uint256 amount, Signature calldata signature) external whenNotPaused {
        _authorize(_message("mint", paymentRef, address(this), to, amount), signature);
        _use(paymentRef, Use.Paid);
        _inflow.consume(0, amount);
        emit Minted(paymentRef, to, amount);
        _mint(to, amount);
    }

    /// @notice Burns the caller's units for a transfer, whose commitment says where they go.
    function burn(bytes32 commitment, uint256 amount) external whenNotPaused {
        if (amount == 0 || commitment == 0) revert NothingBurned();
        if (burnOf[commitment][msg.sender] != 0) revert BurnedAlready(commitment, msg.sender);
        burnOf[commitment][msg.sender] = amount;
        _burn(msg.sender, amount);
        emit Burned(commitment, msg.sender, amount);
    }

    function setLimit(uint208 dailyLimit) external onlyRole(DEFAULT_ADMIN_ROLE) {
        _setLimit(dailyLimit);
    }

    /// @notice What may still be minted now.
    function room() external view returns (uint256) {
        return _inflow.available(0);
    }

    function decimals() public view override returns (uint8) {
        return _decimals;
    }

    function _setLimit(uint208 dailyLimit) private {
        _inflow.updateSettings(WINDOW, dailyLimit);
        emit LimitChanged(dailyLimit);
    }
}
