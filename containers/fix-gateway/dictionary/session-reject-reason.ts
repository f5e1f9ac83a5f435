/** SessionRejectReason(373) of FIX 4.4, with the text that goes with each. */
export const SESSION_REJECT_REASON = {
  INVALID_TAG_NUMBER: 0,
  REQUIRED_TAG_MISSING: 1,
  TAG_NOT_DEFINED_FOR_MESSAGE: 2,
  TAG_WITHOUT_VALUE: 4,
  VALUE_INCORRECT: 5,
  INCORRECT_DATA_FORMAT: 6,
  COMP_ID_PROBLEM: 9,
  SENDING_TIME_ACCURACY: 10,
  INVALID_MSG_TYPE: 11,
  TAG_REPEATED: 13,
  TAG_OUT_OF_ORDER: 14,
  GROUP_OUT_OF_ORDER: 15,
  GROUP_COUNT_INCORRECT: 16,
  OTHER: 99,
} as const;

export type SessionRejectReason = (typeof SESSION_REJECT_REASON)[keyof typeof SESSION_REJECT_REASON];

export const SESSION_REJECT_TEXT: Readonly<Record<SessionRejectReason, string>> = {
  0: 'Invalid tag number',
  1: 'Required tag missing',
  2: 'Tag not defined for this message type',
  4: 'Tag specified without a value',
  5: 'Value is incorrect (out of range) for this tag',
  6: 'Incorrect data format for value',
  9: 'CompID problem',
  10: 'SendingTime accuracy problem',
  11: 'Invalid MsgType',
  13: 'Tag appears more than once',
  14: 'Tag specified out of required order',
  15: 'Repeating group fields out of order',
  16: 'Incorrect NumInGroup count for repeating group',
  99: 'The message is too long: it was passed over',
};
