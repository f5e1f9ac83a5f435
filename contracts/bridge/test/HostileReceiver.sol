// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

/// @title Somebody who is paid, for tests: refuses, or calls somebody when the chain's coin comes
contract HostileReceiver {
    bool private _refuses;
    address private _target;
    bytes private _call;

    bool public hasReached;

    function refuse(bool refuses) external {
        _refuses = refuses;
    }

    function callBack(address target, bytes calldata data) external {
        _target = target;
        _call = data;
        hasReached = false;
    }

    /// @notice Calls somebody as this contract.
    function act(address target, bytes calldata data) external {
        (bool done,) = target.call(data);
        require(done, "not done");
    }

    receive() external payable {
        require(!_refuses, "refused");
        if (_target != address(0)) {
            address target = _target;
            _target = address(0);
            (hasReached,) = target.call(_call);
        }
    }
}
