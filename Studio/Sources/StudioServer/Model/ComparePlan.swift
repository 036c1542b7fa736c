/// What the steps of a migration between two versions do.
struct ComparePlan: Sendable {
  let steps: [MigrateStepContent]
  let notes: [String]
  let lack: String?
}
