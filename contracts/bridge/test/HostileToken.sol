// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title A token for tests, which takes a toll of transfers, or calls somebody in the midst of them
contract HostileToken is ERC20 {
    uint256 private _toll;
    address private _target;
    bytes private _call;

    /// @notice Whether the call in the midst of a transfer went through.
    bool public hasReached;

    constructor() ERC20("Hostile", "HOSTILE") {}

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function takeToll(uint256 toll) external {
        _toll = toll;
    }

    function callBack(address target, bytes calldata data) external {
        _target = target;
        _call = data;
        hasReached = false;
        // So that the target could take from this contract what the call is about.
        _mint(address(this), 1_000);
        _approve(address(this), target, 1_000);
    }

    function _update(address from, address to, uint256 amount) internal override {
        super._update(from, to, amount);
        if (_toll != 0 && from != address(0) && to != address(0)) super._update(to, address(0), _toll);
        if (_target != address(0) && from != address(0) && to != address(0)) {
            address target = _target;
            _target = address(0);
            (hasReached,) = target.call(_call);
        }
    }
}
