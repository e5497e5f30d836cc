// The entry point `tandem-search/service`, which answers requests of a server: only exports.

export {
  answerRequest,
  type FacetAnswer,
  type InstantSearchAnswer,
  instantSearchRequest,
  type MultiAnswer,
  type OperationAnswer,
  type QueryEvent,
  type ServiceAccess,
  type ServiceAnswer,
  type ServiceEvent,
  type ServiceOperation,
  type ServiceRequest,
} from "./service/answer-request.js";
export { type Credential, hashKey } from "./service/credentials.js";
export type { RequestBody } from "./service/request-body.js";
export type { FetchHeaders, RequestHeaders } from "./service/request-headers.js";
