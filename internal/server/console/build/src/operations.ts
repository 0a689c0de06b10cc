import type { ResultOf } from "gql.tada";

import { graphql } from "./graphql.ts";

export const Me = graphql(`query Me { me { userId role systems } }`);
export type Me = ResultOf<typeof Me>["me"];
export type Role = Me["role"];

/** A person in one line. */
export const PersonLine = graphql(`fragment PersonLine on Person { id username fullName status role systems createdAt }`);
export type PersonLine = ResultOf<typeof PersonLine>;

/** A case as a line of the list. */
export const CaseLine = graphql(`
  fragment CaseLine on Case {
    id system kind itemId status revision openedAt lastReportedAt reportCount excerpt media visible removedBy dueAt claimedUntil
    author { ...PersonLine }
    claimedBy { ...PersonLine }
    decisions { when verdict note who { ...PersonLine } }
    check { verdict rule note failed }
    appeal { text when decidedBy { ...PersonLine } messages { fromAuthor when text } }
  }
`, [PersonLine]);
export type CaseLine = ResultOf<typeof CaseLine>;
export type Verdict = CaseLine["decisions"][number]["verdict"];
export type CaseStatus = CaseLine["status"];
export type ContentKind = CaseLine["kind"];

/** A case with all that a decision needs. */
export const CaseWhole = graphql(`
  fragment CaseWhole on Case {
    ...CaseLine
    reports(limit: 50) { items { when why who { ...PersonLine } } nextToken }
    context { kind itemId when excerpt media author { ...PersonLine } }
    rule { id title }
    author { ...PersonLine lastSeenAt suspension { reason until since } counts { content removals reportsBy reportsAgainst } notes { when text who { ...PersonLine } } }
  }
`, [CaseLine, PersonLine]);
export type CaseWhole = ResultOf<typeof CaseWhole>;

export const Cases = graphql(`
  query Cases($status: CaseStatus, $system: String, $kind: ContentKind, $author: ID, $order: CaseOrder, $limit: Int, $nextToken: String) {
    cases(status: $status, system: $system, kind: $kind, author: $author, order: $order, limit: $limit, nextToken: $nextToken) { items { ...CaseLine } nextToken }
  }
`, [CaseLine]);
export const CaseById = graphql(`query Case($id: ID!) { case(id: $id) { ...CaseWhole } }`, [CaseWhole]);
export const Reports = graphql(`
  query Reports($id: ID!, $nextToken: String) {
    case(id: $id) { reports(limit: 50, nextToken: $nextToken) { items { when why who { ...PersonLine } } nextToken } }
  }
`, [PersonLine]);
export const Rules = graphql(`query Rules { rules { id title text } }`);
export const DecideCase = graphql(`
  mutation DecideCase($id: ID!, $revision: Int!, $verdict: Verdict!, $note: String, $rule: ID) {
    decideCase(id: $id, revision: $revision, verdict: $verdict, note: $note, rule: $rule) { ...CaseWhole }
  }
`, [CaseWhole]);
export const DecideCases = graphql(`
  mutation DecideCases($cases: [CaseChoice!]!, $verdict: Verdict!, $note: String, $rule: ID) {
    decideCases(cases: $cases, verdict: $verdict, note: $note, rule: $rule) { id error code case { ...CaseLine } }
  }
`, [CaseLine]);
export const ClaimCase = graphql(`mutation ClaimCase($id: ID!) { claimCase(id: $id) { ...CaseWhole } }`, [CaseWhole]);
export const ReplyToAppeal = graphql(`mutation ReplyToAppeal($id: ID!, $text: String!) { replyToAppeal(id: $id, text: $text) { ...CaseWhole } }`, [CaseWhole]);
export const Templates = graphql(`query Templates { templates { id title text } }`);
export type Template = ResultOf<typeof Templates>["templates"][number];
export const SaveTemplate = graphql(`mutation SaveTemplate($id: ID, $title: String!, $text: String!) { saveTemplate(id: $id, title: $title, text: $text) { id title text } }`);
export const RemoveTemplate = graphql(`mutation RemoveTemplate($id: ID!) { removeTemplate(id: $id) }`);
export const FiguresOf = graphql(`fragment FiguresOf on CaseFigures { name opened decided removed appealed overturned medianTime p95Time }`);
export type FiguresOf = ResultOf<typeof FiguresOf>;
export const Statistics = graphql(`
  query Statistics($from: DateTime!, $to: DateTime!) {
    statistics(from: $from, to: $to) {
      total { ...FiguresOf } byKind { ...FiguresOf } byRule { ...FiguresOf } bySource { ...FiguresOf } byModerator { ...FiguresOf } csv
    }
  }
`, [FiguresOf]);
/** Apart from the others, since it takes the server longest. */
export const Reporters = graphql(`
  query Reporters($from: DateTime!, $to: DateTime!) { statistics(from: $from, to: $to) { byReporter { userId decided overturned } } }
`);
export const CaseOpened = graphql(`subscription CaseOpened { caseOpened { ...CaseLine } }`, [CaseLine]);
export const CaseChanged = graphql(`subscription CaseChanged { caseChanged { ...CaseLine } }`, [CaseLine]);

/** A person with all that is known. */
export const PersonWhole = graphql(`
  fragment PersonWhole on Person {
    ...PersonLine lastSeenAt email phone emailVerified phoneVerified
    suspension { reason until since by { ...PersonLine } }
    counts { content removals reportsBy reportsAgainst }
    sessions { id startedAt lastUsedAt client address }
    devices { id kind lastSeenAt }
    notes { when text who { ...PersonLine } }
  }
`, [PersonLine]);
export type PersonWhole = ResultOf<typeof PersonWhole>;

export const People = graphql(`
  query People($find: String!, $limit: Int, $nextToken: String) { people(find: $find, limit: $limit, nextToken: $nextToken) { items { ...PersonLine } nextToken } }
`, [PersonLine]);
export const PersonName = graphql(`query PersonName($id: ID!) { person(id: $id) { ...PersonLine } }`, [PersonLine]);
export const PersonById = graphql(`query Person($id: ID!) { person(id: $id) { ...PersonWhole } }`, [PersonWhole]);
export const SuspendPerson = graphql(`
  mutation SuspendPerson($id: ID!, $reason: String!, $until: DateTime, $banContacts: Boolean, $rule: ID) {
    suspendPerson(id: $id, reason: $reason, until: $until, banContacts: $banContacts, rule: $rule) { ...PersonWhole }
  }
`, [PersonWhole]);
export const ReinstatePerson = graphql(`mutation ReinstatePerson($id: ID!, $note: String) { reinstatePerson(id: $id, note: $note) { ...PersonWhole } }`, [PersonWhole]);
export const SignOutPerson = graphql(`mutation SignOutPerson($id: ID!) { signOutPerson(id: $id) { ...PersonWhole } }`, [PersonWhole]);
export const ErasePerson = graphql(`mutation ErasePerson($id: ID!, $reason: String!) { erasePerson(id: $id, reason: $reason) { id } }`);
export const ExportPerson = graphql(`mutation ExportPerson($id: ID!, $reason: String!) { exportPerson(id: $id, reason: $reason) { id url expiresAt } }`);
export const NoteOnPerson = graphql(`mutation NoteOnPerson($id: ID!, $note: String!) { noteOnPerson(id: $id, note: $note) { ...PersonWhole } }`, [PersonWhole]);
export const GrantRole = graphql(`mutation GrantRole($id: ID!) { grantRole(userId: $id, role: MODERATOR) { ...PersonWhole } }`, [PersonWhole]);
export const RevokeRole = graphql(`mutation RevokeRole($id: ID!) { revokeRole(userId: $id, role: MODERATOR) { ...PersonWhole } }`, [PersonWhole]);

export const AuditLine = graphql(`fragment AuditLine on AuditLine { id time actor role action subject before after note address requestId }`);
export type AuditLine = ResultOf<typeof AuditLine>;
export const Audit = graphql(`
  query Audit($actor: ID, $subject: ID, $limit: Int, $nextToken: String) {
    audit(actor: $actor, subject: $subject, limit: $limit, nextToken: $nextToken) { items { ...AuditLine } nextToken }
  }
`, [AuditLine]);

export const Settings = graphql(`query Settings { settings { name value source meaning } }`);

export const Health = graphql(`
  query Health {
    health {
      version startedAt uptime store problem memory sockets subscriptions operationsPerMinute errorsPerMinute eventLag newestBackup
      disk { free total }
      undelivered { id name about at lastError attempts }
      deadEvents { id name about at error }
      processes { id version startedAt seenAt clockDifference }
      mail { waiting failedToday sentToday lastError }
    }
  }
`);
export type Health = ResultOf<typeof Health>["health"];
export const Figures = graphql(`query Figures { figures { at operations errors p50 p99 sockets subscriptions memory undelivered } }`);
export type Figures = ResultOf<typeof Figures>["figures"];
export const Redeliver = graphql(`mutation Redeliver($event: ID!) { redeliver(event: $event) }`);

export const JobLine = graphql(`fragment JobLine on Job { name schedule startedAt endedAt failure heldBy }`);
export type JobLine = ResultOf<typeof JobLine>;
export const Jobs = graphql(`query Jobs { jobs { ...JobLine } }`, [JobLine]);
export const RunJob = graphql(`mutation RunJob($name: String!) { runJob(name: $name) { ...JobLine } }`, [JobLine]);

export const Backups = graphql(`query Backups { backups { id startedAt endedAt bytes items place failure } }`);
export const StartBackup = graphql(`mutation StartBackup { startBackup { id } }`);

export const CheckLine = graphql(`fragment CheckLine on Check { id startedAt endedAt items total repaired failure findings { table key text repaired } }`);
export type CheckLine = ResultOf<typeof CheckLine>;
export const Checks = graphql(`query Checks { checks { ...CheckLine } }`, [CheckLine]);
export const StartCheck = graphql(`mutation StartCheck($repair: Boolean) { startCheck(repair: $repair) { ...CheckLine } }`, [CheckLine]);
export const CheckProgressed = graphql(`subscription CheckProgressed { checkProgressed { ...CheckLine } }`, [CheckLine]);

export const Tables = graphql(`query Tables { tables { name items bytes indexes rows { name partitionKey sortKey } } }`);
export const Items = graphql(`
  query Items($table: String!, $index: String, $partitionKey: String!, $sortKeyPrefix: String, $limit: Int, $nextToken: String) {
    items(table: $table, index: $index, partitionKey: $partitionKey, sortKeyPrefix: $sortKeyPrefix, limit: $limit, nextToken: $nextToken) {
      items { partitionKey sortKey attributes row parts { name value } related { table index partitionKey sortKeyPrefix } }
      nextToken
    }
  }
`);
export type Item = ResultOf<typeof Items>["items"]["items"][number];
