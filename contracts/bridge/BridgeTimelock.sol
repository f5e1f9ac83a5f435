// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {TimelockController} from "@openzeppelin/contracts/governance/TimelockController.sol";

/// @title The admin of an organization's contracts
/// @notice Whatever the admin does is announced, and stands open to everybody's eyes for the delay, before anybody may carry it out.
contract BridgeTimelock is TimelockController {
    /// @param proposers announce and cancel; everybody carries out
    constructor(uint256 delay, address[] memory proposers) TimelockController(delay, proposers, _everybody(), address(0)) {}

    function _everybody() private pure returns (address[] memory executors) {
        executors = new address[](1);
    }
}
