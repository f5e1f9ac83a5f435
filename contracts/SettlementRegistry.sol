// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {
    AccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";

/// @title Registry of what the exchange has settled
/// @notice Keeps the hash of each settlement record under the UUID of its trade, and the checkpoints of the exchange's chain of blocks. Records hide their
/// parties behind salted commitments, so nothing here names an investor. What was recorded is never changed and never removed.
/// Design: docs/design/registry.md.
contract SettlementRegistry is AccessControlDefaultAdminRules, Pausable {
    /// @notice Who records.
    bytes32 public constant RECORDER_ROLE = keccak256("RECORDER_ROLE");
    /// @notice Who pauses and unpauses recording.
    bytes32 public constant PAUSER_ROLE = keccak256("PAUSER_ROLE");

    /// @notice Settlements, or checkpoints, of one call.
    uint256 public constant BATCH_MAX = 200;
    /// @notice Records of one trade: its settlement, and what was made of it since.
    uint256 public constant RECORDS_PER_TRADE_MAX = 8;
    /// @dev A tree of 2^32 leaves.
    uint256 private constant PATH_MAX = 32;

    /// @notice What is to be recorded.
    /// @param uuid of the trade
    /// @param hash SHA-256 of the settlement record, or of the record of an adjustment
    struct Settlement {
        bytes16 uuid;
        bytes32 hash;
    }

    /// @notice What is recorded of a trade. The hash of the transaction is in the log of that block: `SettlementRecorded`.
    struct SettlementTx {
        bytes32 hash;
        uint64 blockNumber;
        uint64 recordedAt;
    }

    /// @dev The first record of a trade, which is mostly the only one, and how many more there are.
    struct FirstRecord {
        bytes32 hash;
        uint64 blockNumber;
        uint64 recordedAt;
        uint64 more;
    }

    /// @notice A checkpoint: consecutive final blocks under one root, and the keys that have certified it.
    /// @param hash of the checkpoint, which its certificate is over
    /// @param blocksRoot over the hashes of its blocks (RFC 9162 section 2.1.1, SHA-256)
    /// @param keysHash of the committee's keys in its epoch
    struct Checkpoint {
        bytes32 hash;
        bytes32 blocksRoot;
        bytes32 keysHash;
        uint64 firstHeight;
        uint64 lastHeight;
    }

    /// @notice Header of a block (docs/design/consensus.md#blocks).
    struct BlockHeader {
        bytes32 committee;
        uint64 height;
        bytes32 parent;
        uint64 slot;
        uint64 firstRow;
        uint64 lastRow;
        bytes32 journalHash;
        uint32 settlements;
        bytes32 settlementsRoot;
        bytes32 booksRoot;
    }

    /// @notice A record has been taken in.
    /// @param place 0 for the settlement of the trade, from 1 on for what was recorded of it later
    event SettlementRecorded(bytes16 indexed uuid, bytes32 indexed hash, uint256 place);
    /// @notice A checkpoint has been taken in. Numbers are gapless from 1.
    event CheckpointRecorded(uint256 indexed number, bytes32 indexed hash, uint64 lastHeight);

    /// @notice A batch has nothing in it, or more than BATCH_MAX.
    error BatchSize(uint256 size);
    /// @notice A UUID or a hash is zero.
    error EmptySettlement();
    /// @notice A trade has RECORDS_PER_TRADE_MAX records already.
    error TooManyRecords(bytes16 uuid);
    /// @notice Not 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12.
    error MalformedUUID();
    /// @notice The checkpoint of this number is another one.
    error CheckpointConflict(uint256 number);
    /// @notice It is not the next one, or does not begin where the last one ends.
    error CheckpointGap(uint256 number);
    /// @notice There is no such checkpoint.
    error NoCheckpoint(uint256 number);

    mapping(bytes16 uuid => FirstRecord) private _first;
    mapping(bytes16 uuid => SettlementTx[]) private _more;
    mapping(uint256 number => Checkpoint) private _checkpoints;

    /// @notice Number of the last checkpoint; 0 before the first.
    uint256 public lastCheckpoint;

    /// @param admin grants and revokes roles, and hands over in two steps
    /// @param adminDelay seconds between both
    constructor(address admin, address recorder, uint48 adminDelay) AccessControlDefaultAdminRules(adminDelay, admin) {
        _grantRole(RECORDER_ROLE, recorder);
        _grantRole(PAUSER_ROLE, admin);
    }

    /// @notice Records settlements, each once: what is recorded already is left as it is.
    /// @return recorded how many were new
    function record(Settlement[] calldata settlements)
        external
        onlyRole(RECORDER_ROLE)
        whenNotPaused
        returns (uint256 recorded)
    {
        if (settlements.length == 0 || settlements.length > BATCH_MAX) revert BatchSize(settlements.length);
        for (uint256 i = 0; i < settlements.length; ++i) {
            if (_record(settlements[i].uuid, settlements[i].hash)) ++recorded;
        }
    }

    /// @notice Records checkpoints that follow the last one. One that is recorded already is left as it is, if it is the same.
    /// @param number of the first of them
    function recordCheckpoints(uint256 number, Checkpoint[] calldata checkpoints)
        external
        onlyRole(RECORDER_ROLE)
        whenNotPaused
        returns (uint256 recorded)
    {
        if (checkpoints.length == 0 || checkpoints.length > BATCH_MAX) revert BatchSize(checkpoints.length);
        for (uint256 i = 0; i < checkpoints.length; ++i) {
            if (_recordCheckpoint(number + i, checkpoints[i])) ++recorded;
        }
    }

    function pause() external onlyRole(PAUSER_ROLE) {
        _pause();
    }

    function unpause() external onlyRole(PAUSER_ROLE) {
        _unpause();
    }

    /// @notice The 16 bytes of a trade's UUID, where something of it is recorded; zero where nothing is.
    function lookupByUUID(string calldata uuid) external view returns (bytes16) {
        bytes16 parsed = _parse(uuid);
        return _first[parsed].hash == 0 ? bytes16(0) : parsed;
    }

    /// @notice All that is recorded of a trade, in the order in which it was.
    function getTxsByUUID(string calldata uuid) external view returns (SettlementTx[] memory txs) {
        bytes16 parsed = _parse(uuid);
        FirstRecord storage first = _first[parsed];
        if (first.hash == 0) return txs;
        txs = new SettlementTx[](1 + first.more);
        txs[0] = SettlementTx(first.hash, first.blockNumber, first.recordedAt);
        for (uint256 i = 0; i < first.more; ++i) txs[1 + i] = _more[parsed][i];
    }

    /// @notice Whether this hash is recorded of this trade.
    function isRecorded(bytes16 uuid, bytes32 hash) public view returns (bool) {
        FirstRecord storage first = _first[uuid];
        if (first.hash == 0 || hash == 0) return false;
        if (first.hash == hash) return true;
        for (uint256 i = 0; i < first.more; ++i) {
            if (_more[uuid][i].hash == hash) return true;
        }
        return false;
    }

    function checkpoint(uint256 number) public view returns (Checkpoint memory) {
        if (number == 0 || number > lastCheckpoint) revert NoCheckpoint(number);
        return _checkpoints[number];
    }

    /// @notice Whether a record stands in a block of a recorded checkpoint.
    /// @param hash of the record
    /// @param index its place among the block's leaves
    /// @param path from there to the block's root, from below
    /// @param blockPath from the block to the root of the checkpoint, from below
    function isIncluded(
        uint256 number,
        bytes32 hash,
        uint256 index,
        bytes32[] calldata path,
        BlockHeader calldata header,
        bytes32[] calldata blockPath
    ) external view returns (bool) {
        Checkpoint memory within = checkpoint(number);
        if (header.height < within.firstHeight || header.height > within.lastHeight) return false;
        uint256 size = uint256(within.lastHeight) - within.firstHeight + 1;
        uint256 place = uint256(header.height) - within.firstHeight;
        return _leadsTo(header.settlementsRoot, hash, index, header.settlements, path)
            && _leadsTo(within.blocksRoot, blockHash(header), place, size, blockPath);
    }

    /// @notice SHA-256 over the header's fields in fixed widths, behind a tag.
    function blockHash(BlockHeader calldata header) public pure returns (bytes32) {
        return sha256(
            bytes.concat(
                abi.encodePacked("edge.block.v1", header.committee, header.height, header.parent, header.slot),
                abi.encodePacked(header.firstRow, header.lastRow, header.journalHash, header.settlements),
                abi.encodePacked(header.settlementsRoot, header.booksRoot)
            )
        );
    }

    function _record(bytes16 uuid, bytes32 hash) private returns (bool) {
        if (uuid == 0 || hash == 0) revert EmptySettlement();
        if (isRecorded(uuid, hash)) return false;
        FirstRecord storage first = _first[uuid];
        (uint64 number, uint64 time) = (uint64(block.number), uint64(block.timestamp));
        if (first.hash == 0) {
            _first[uuid] = FirstRecord(hash, number, time, 0);
            emit SettlementRecorded(uuid, hash, 0);
            return true;
        }
        if (1 + first.more == RECORDS_PER_TRADE_MAX) revert TooManyRecords(uuid);
        first.more += 1;
        _more[uuid].push(SettlementTx(hash, number, time));
        emit SettlementRecorded(uuid, hash, first.more);
        return true;
    }

    function _recordCheckpoint(uint256 number, Checkpoint calldata given) private returns (bool) {
        if (given.hash == 0) revert EmptySettlement();
        if (number != 0 && number <= lastCheckpoint) {
            if (keccak256(abi.encode(_checkpoints[number])) != keccak256(abi.encode(given))) {
                revert CheckpointConflict(number);
            }
            return false;
        }
        bool follows = number == lastCheckpoint + 1 && given.lastHeight >= given.firstHeight
            && given.firstHeight == _checkpoints[lastCheckpoint].lastHeight + 1;
        if (!follows) revert CheckpointGap(number);
        _checkpoints[number] = given;
        lastCheckpoint = number;
        emit CheckpointRecorded(number, given.hash, given.lastHeight);
        return true;
    }

    /// @dev RFC 9162 section 2.1.3.2.
    function _leadsTo(bytes32 root, bytes32 data, uint256 index, uint256 size, bytes32[] calldata path)
        private
        pure
        returns (bool)
    {
        if (index >= size || path.length > PATH_MAX) return false;
        bytes32 node = sha256(abi.encodePacked(uint8(0), data));
        (uint256 place, uint256 last) = (index, size - 1);
        for (uint256 i = 0; i < path.length; ++i) {
            if (last == 0) return false;
            if (place % 2 == 1 || place == last) {
                node = sha256(abi.encodePacked(uint8(1), path[i], node));
                while (place % 2 == 0 && place != 0) (place, last) = (place / 2, last / 2);
            } else {
                node = sha256(abi.encodePacked(uint8(1), node, path[i]));
            }
            (place, last) = (place / 2, last / 2);
        }
        return last == 0 && node == root;
    }

    function _parse(string calldata text) private pure returns (bytes16) {
        bytes calldata characters = bytes(text);
        if (characters.length != 36) revert MalformedUUID();
        uint128 value = 0;
        for (uint256 i = 0; i < 36; ++i) {
            if (i == 8 || i == 13 || i == 18 || i == 23) {
                if (characters[i] != "-") revert MalformedUUID();
            } else {
                value = (value << 4) | _digit(uint8(characters[i]));
            }
        }
        return bytes16(value);
    }

    function _digit(uint8 character) private pure returns (uint128) {
        if (character >= 48 && character <= 57) return character - 48;
        if (character >= 97 && character <= 102) return character - 87;
        if (character >= 65 && character <= 70) return character - 55;
        revert MalformedUUID();
    }
}
