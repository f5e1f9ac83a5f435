import type {
  EntityFactName,
  EntityForm,
  PartiesProblem,
  PartyFactName,
  PartyGap,
  PartyProblem,
  PartyRole,
} from '../../../domain/onboarding/entity-facts.ts';
import type { Language } from '../authorize/texts.ts';
import type { StateTexts } from './onboarding-parts.ts';

type Labelled = readonly [label: string, hint: string];

export interface EntityTexts {
  readonly title: string;
  readonly choose: string;
  readonly chooseStart: string;
  readonly chooseGoes: string;
  readonly toPerson: string;
  readonly facts: Readonly<Record<EntityFactName, Labelled>>;
  readonly forms: Readonly<Record<EntityForm, string>>;
  readonly questions: Readonly<Record<'entity' | 'formation' | 'address' | 'business' | 'parties', string>>;
  readonly parties: string;
  readonly partyAdd: string;
  readonly partyRemove: (name: string) => string;
  readonly nobody: string;
  readonly nobodyOwns: string;
  readonly party: Readonly<Record<PartyFactName, Labelled>>;
  readonly rolesLegend: string;
  readonly roles: Readonly<Record<PartyRole, string>>;
  readonly share: Labelled;
  readonly problems: Readonly<Record<PartyProblem | PartiesProblem, string>>;
  readonly gaps: Readonly<Record<PartyGap, string>>;
  readonly states: StateTexts;
  readonly reopen: string;
  readonly reopenHint: string;
}

const en: EntityTexts = {
  title: 'The entity',
  choose:
    'The account is then that of a company, a partnership, a trust or a fund, and you act for it. We ask what it is, who owns and controls it, and for its documents.',
  chooseStart: 'Continue for an entity',
  chooseGoes: 'What you have said and shown of yourself here so far goes.',
  toPerson: 'The account is for myself',
  facts: {
    legalName: ['Legal name', 'As it stands in its articles.'],
    form: ['What it is', ''],
    formationCountry: ['Country of formation', ''],
    formationRegion: ['State of formation', 'Of the US the state.'],
    registrationNumber: ['Registration number', 'As its register gave it.'],
    country: ['Country', ''],
    street: ['Street and number', ''],
    postalCode: ['Postal code', ''],
    city: ['City', ''],
    region: ['State or region', 'Of the US the state.'],
    taxId: ['Tax id', 'Of the US an employer identification number, with nine digits.'],
    activity: ['What it does', 'In a sentence or two.'],
    sourceOfFunds: ['Where its money comes from', 'In a sentence or two.'],
  },
  forms: { company: 'Company', partnership: 'Partnership', trust: 'Trust', fund: 'Fund' },
  questions: {
    entity: 'Name and form',
    formation: 'Formation',
    address: 'Registered address',
    business: 'Business and money',
    parties: 'The people behind it',
  },
  parties:
    'Name each person who owns 25 % or more, one person who controls it, and yourself as who acts for it. One person may be several of these. Where another entity owns it, name the people behind that one; of a trust its trustee.',
  partyAdd: 'Add this person',
  partyRemove: (name) => `Remove ${name}`,
  nobody: 'Nobody owns 25 % or more',
  nobodyOwns: 'You have said that nobody owns 25 % or more.',
  party: {
    legalName: ['Legal name', 'As it stands in the passport or driving licence.'],
    birthDate: ['Date of birth', 'Year, month, day.'],
    country: ['Country of residence', ''],
    street: ['Street and number', ''],
    postalCode: ['Postal code', ''],
    city: ['City', ''],
    region: ['State or region', 'Of the US the state.'],
    taxId: ['Tax id', 'Of the US a Social Security number or ITIN. Or else the passport below.'],
    passport: ['Passport number', 'Where there is no tax id.'],
    passportCountry: ['Country of the passport', 'Two letters, such as DE.'],
    title: ['Title there', 'Such as managing director. Of who controls or acts.'],
  },
  rolesLegend: 'What this person is',
  roles: {
    owner: 'Owns 25 % or more',
    control: 'Controls it, such as its managing director',
    authorised: 'Acts for it here: that is you',
  },
  share: ['Share in percent', 'Of owners, such as 25 or 33.33.'],
  problems: {
    malformed: 'This cannot be taken as it is written.',
    too_young: 'Who acts or controls has to be 18 years old.',
    country_not_served: 'This country is not served here.',
    country_sanctioned: 'The law forbids to serve this country.',
    tax_id_malformed: 'No tax id of this country looks like this.',
    id_missing: 'Enter a tax id, or a passport below.',
    role_missing: 'Choose at least one.',
    share_out_of_bounds: 'An owner has 25 to 100 percent.',
    share_without_owner: 'Only an owner has a share. Leave it empty, or say that this person owns.',
    too_many: 'Six people are named at most. Remove one first.',
    shares_above_whole: 'The shares of all owners are more than 100 percent.',
    two_in_control: 'Somebody else is named already as who controls it. Remove them first.',
    two_authorised: 'Somebody else is named already as who acts for it. Remove them first.',
    owners_contradict: 'An owner is named, so it is not so that nobody owns 25 %. Remove the owner first.',
  },
  gaps: {
    owner: 'Name who owns 25 % or more, or say that nobody does.',
    control: 'Name one person who controls it.',
    authorised: 'Name yourself as who acts for it.',
    parties: 'What is stated of somebody no longer does. Remove them and add them anew.',
  },
  states: {
    SUBMITTED: 'The entity is being checked. We write to you once it is decided.',
    IN_REVIEW: 'Somebody looks at the entity. We write to you once it is decided.',
    ASKED_BACK: 'Something else is needed. Change it, then hand it in again.',
    APPROVED: 'The entity is confirmed. You may trade for it.',
    EXPIRED:
      'What we know of the entity is out of date. Check it, then hand it in again. Until then you cannot place orders for it.',
    REFUSED: 'The entity was not confirmed. You cannot trade for it here.',
  },
  reopen: 'Something has changed',
  reopenHint:
    'Such as who owns or controls it. You state it anew and show its documents again. Until it is decided, the account places no orders, and its open orders end.',
};

const de: EntityTexts = {
  title: 'Die Gesellschaft',
  choose:
    'Das Konto gehört dann einem Unternehmen, einer Partnerschaft, einem Trust oder einem Fonds, und Sie handeln dafür. Wir fragen, was es ist, wem es gehört, wer es leitet, und nach seinen Dokumenten.',
  chooseStart: 'Für eine Gesellschaft weitermachen',
  chooseGoes: 'Was Sie hier bisher über sich selbst gesagt und gezeigt haben, wird gelöscht.',
  toPerson: 'Das Konto ist für mich selbst',
  facts: {
    legalName: ['Vollständiger Name', 'So, wie er in der Satzung steht.'],
    form: ['Was es ist', ''],
    formationCountry: ['Land der Gründung', ''],
    formationRegion: ['Bundesstaat der Gründung', 'In den USA der Bundesstaat.'],
    registrationNumber: ['Registernummer', 'So, wie das Register sie vergeben hat.'],
    country: ['Land', ''],
    street: ['Straße und Hausnummer', ''],
    postalCode: ['Postleitzahl', ''],
    city: ['Ort', ''],
    region: ['Bundesstaat oder Region', 'In den USA der Bundesstaat.'],
    taxId: ['Steuernummer', 'In den USA die Employer Identification Number mit neun Ziffern.'],
    activity: ['Was sie tut', 'In ein oder zwei Sätzen.'],
    sourceOfFunds: ['Woher ihr Geld kommt', 'In ein oder zwei Sätzen.'],
  },
  forms: { company: 'Unternehmen', partnership: 'Partnerschaft', trust: 'Trust', fund: 'Fonds' },
  questions: {
    entity: 'Name und Form',
    formation: 'Gründung',
    address: 'Sitz',
    business: 'Geschäft und Geld',
    parties: 'Die Menschen dahinter',
  },
  parties:
    'Nennen Sie jede Person, der 25 % oder mehr gehören, eine Person, die sie leitet, und sich selbst als die, die für sie handelt. Eine Person kann mehreres davon sein. Gehört sie einer anderen Gesellschaft, nennen Sie die Menschen dahinter; bei einem Trust den Treuhänder.',
  partyAdd: 'Diese Person hinzufügen',
  partyRemove: (name) => `${name} entfernen`,
  nobody: 'Niemandem gehören 25 % oder mehr',
  nobodyOwns: 'Sie haben angegeben, dass niemandem 25 % oder mehr gehören.',
  party: {
    legalName: ['Vollständiger Name', 'So, wie er im Pass oder Führerschein steht.'],
    birthDate: ['Geburtsdatum', 'Jahr, Monat, Tag.'],
    country: ['Land des Wohnsitzes', ''],
    street: ['Straße und Hausnummer', ''],
    postalCode: ['Postleitzahl', ''],
    city: ['Ort', ''],
    region: ['Bundesstaat oder Region', 'In den USA der Bundesstaat.'],
    taxId: ['Steuernummer', 'In den USA die Social Security Number oder ITIN. Sonst unten der Pass.'],
    passport: ['Passnummer', 'Wo es keine Steuernummer gibt.'],
    passportCountry: ['Land des Passes', 'Zwei Buchstaben, etwa DE.'],
    title: ['Stellung dort', 'Etwa Geschäftsführerin. Bei wem leitet oder handelt.'],
  },
  rolesLegend: 'Was diese Person ist',
  roles: {
    owner: 'Ihr gehören 25 % oder mehr',
    control: 'Sie leitet, etwa als Geschäftsführerin',
    authorised: 'Sie handelt hier: das sind Sie',
  },
  share: ['Anteil in Prozent', 'Bei wem etwas gehört, etwa 25 oder 33,33.'],
  problems: {
    malformed: 'So, wie es geschrieben ist, geht es nicht.',
    too_young: 'Wer handelt oder leitet, muss 18 Jahre alt sein.',
    country_not_served: 'Dieses Land wird hier nicht bedient.',
    country_sanctioned: 'Das Gesetz verbietet es, dieses Land zu bedienen.',
    tax_id_malformed: 'Keine Steuernummer dieses Landes sieht so aus.',
    id_missing: 'Geben Sie eine Steuernummer an oder unten einen Pass.',
    role_missing: 'Wählen Sie mindestens eines.',
    share_out_of_bounds: 'Wem etwas gehört, dem gehören 25 bis 100 Prozent.',
    share_without_owner: 'Nur wem etwas gehört, hat einen Anteil. Lassen Sie ihn leer oder wählen Sie es oben.',
    too_many: 'Höchstens sechs Personen werden genannt. Entfernen Sie zuerst eine.',
    shares_above_whole: 'Die Anteile zusammen sind mehr als 100 Prozent.',
    two_in_control: 'Schon eine andere Person ist genannt, die leitet. Entfernen Sie diese zuerst.',
    two_authorised: 'Schon eine andere Person ist genannt, die handelt. Entfernen Sie diese zuerst.',
    owners_contradict:
      'Jemand ist genannt, dem 25 % oder mehr gehören. Entfernen Sie diese Person zuerst, wenn das nicht stimmt.',
  },
  gaps: {
    owner: 'Nennen Sie, wem 25 % oder mehr gehören, oder sagen Sie, dass das niemand ist.',
    control: 'Nennen Sie eine Person, die sie leitet.',
    authorised: 'Nennen Sie sich selbst als die Person, die handelt.',
    parties: 'Angaben zu einer Person gelten nicht mehr. Entfernen Sie sie und fügen Sie sie neu hinzu.',
  },
  states: {
    SUBMITTED: 'Die Gesellschaft wird geprüft. Wir schreiben Ihnen, sobald entschieden ist.',
    IN_REVIEW: 'Jemand sieht sich die Gesellschaft an. Wir schreiben Ihnen, sobald entschieden ist.',
    ASKED_BACK: 'Es wird noch etwas gebraucht. Ändern Sie es und reichen Sie es wieder ein.',
    APPROVED: 'Die Gesellschaft ist bestätigt. Sie dürfen für sie handeln.',
    EXPIRED:
      'Was wir über die Gesellschaft wissen, ist veraltet. Prüfen Sie es und reichen Sie es wieder ein. Bis dahin können Sie für sie keine Aufträge erteilen.',
    REFUSED: 'Die Gesellschaft wurde nicht bestätigt. Sie können hier nicht für sie handeln.',
  },
  reopen: 'Etwas hat sich geändert',
  reopenHint:
    'Etwa wem sie gehört oder wer sie leitet. Sie geben es neu an und zeigen die Dokumente noch einmal. Bis entschieden ist, erteilt das Konto keine Aufträge, und seine offenen Aufträge enden.',
};

export function entityTexts(language: Language): EntityTexts {
  return { en, de }[language];
}
