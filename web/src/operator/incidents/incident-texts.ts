/** English of the operators' pages of incidents. */
export const incidentsEn = {
  'incident.again': 'Tell more',
  'incident.failed': 'This incident could not be read',
  'incident.happens': 'Within two minutes it stands on the public status page and in the bar of every customer.',
  'incident.happens_resolved':
    'Within two minutes it goes from the bar of every customer. It stands under past incidents for 90 days.',
  'incident.name': 'Title',
  'incident.name_hint': 'What a customer notices, in a few words.',
  'incident.name_missing': 'Say what a customer notices.',
  'incident.open': 'Open an incident',
  'incident.opened': 'Opened',
  'incident.opened_said': 'The incident is open to the public',
  'incident.parts': 'What is disturbed',
  'incident.parts_missing': 'Choose at least one part.',
  'incident.resolve': 'It is over',
  'incident.resolved_at': 'Over since',
  'incident.state': 'State',
  'incident.told': 'What was told',
  'incident.told_said': 'The update is told',
  'incident.words': 'What the public is told',
  'incident.words_hint':
    'What is disturbed, what still works, what to do. No names, and nothing of how the venue is built.',
  'incident.words_missing': 'Write what the public is told.',
  'incidents.failed': 'The incidents could not be read',
  'incidents.lede': 'What the public is told of disturbances. It stands on the status page, which needs no sign-in.',
  'incidents.none': 'No incidents',
  'incidents.none_text': 'Open one as soon as customers notice something: they then know that you do, too.',
  'incidents.updated': 'Last told',
  'nav.incidents': 'Incidents',
};

/** German of the same. */
export const incidentsDe: Readonly<Record<keyof typeof incidentsEn, string>> = {
  'incident.again': 'Mehr mitteilen',
  'incident.failed': 'Diese Störung konnte nicht gelesen werden',
  'incident.happens':
    'Innerhalb von zwei Minuten steht sie auf der öffentlichen Statusseite und in der Leiste jedes Kunden.',
  'incident.happens_resolved':
    'Innerhalb von zwei Minuten verschwindet sie aus der Leiste jedes Kunden. Sie steht 90 Tage unter den vergangenen Störungen.',
  'incident.name': 'Titel',
  'incident.name_hint': 'Was ein Kunde bemerkt, in wenigen Worten.',
  'incident.name_missing': 'Sagen Sie, was ein Kunde bemerkt.',
  'incident.open': 'Störung melden',
  'incident.opened': 'Gemeldet',
  'incident.opened_said': 'Die Störung ist öffentlich gemeldet',
  'incident.parts': 'Was gestört ist',
  'incident.parts_missing': 'Wählen Sie mindestens einen Teil.',
  'incident.resolve': 'Sie ist vorbei',
  'incident.resolved_at': 'Vorbei seit',
  'incident.state': 'Stand',
  'incident.told': 'Was mitgeteilt wurde',
  'incident.told_said': 'Die Mitteilung ist öffentlich',
  'incident.words': 'Was die Öffentlichkeit erfährt',
  'incident.words_hint':
    'Was gestört ist, was noch geht, was zu tun ist. Keine Namen, und nichts darüber, wie der Handelsplatz gebaut ist.',
  'incident.words_missing': 'Schreiben Sie, was die Öffentlichkeit erfährt.',
  'incidents.failed': 'Die Störungen konnten nicht gelesen werden',
  'incidents.lede':
    'Was die Öffentlichkeit von Störungen erfährt. Es steht auf der Statusseite, die keine Anmeldung verlangt.',
  'incidents.none': 'Keine Störungen',
  'incidents.none_text': 'Melden Sie eine, sobald Kunden etwas bemerken: Dann wissen sie, dass Sie es auch wissen.',
  'incidents.updated': 'Zuletzt mitgeteilt',
  'nav.incidents': 'Störungen',
};
