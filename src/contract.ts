// The entry point `tandem-search/service/contract`, which checks a server: only exports.

export {
  type ContractCheck,
  type ContractRequest,
  type ContractResponse,
  type ContractTarget,
  contractChecks,
  contractIndex,
} from "./contract/contract-checks.js";
