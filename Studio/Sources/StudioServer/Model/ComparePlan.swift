/// The actions of the steps of a migration between two versions.
struct ComparePlan: Sendable {
  let steps: [MigrateStepContent]
  let notes: [String]
  let lack: String?
}
