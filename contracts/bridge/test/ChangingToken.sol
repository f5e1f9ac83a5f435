// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

/// @title A token for tests that denies its burns from a moment on, as one behind a proxy may.
contract ChangingToken {
    mapping(bytes32 commitment => mapping(address from => uint256)) private _burnt;
    bool public hasChanged;

    function burn(bytes32 commitment, uint256 amount) external {
        _burnt[commitment][msg.sender] = amount;
    }

    function change() external {
        hasChanged = true;
    }

    function burnOf(bytes32 commitment, address from) external view returns (uint256) {
        return hasChanged ? 0 : _burnt[commitment][from];
    }
}
