import ExampleSupport

/// The result of a run, in the structure of its JSON. Times are in seconds, sizes in bytes.
struct Report: JSONReport, Codable {
  /// One piece of work on one store.
  struct Step: Codable {
    var work: Work
    var cost: Cost
    var found: PictureList.Found
    /// The size of the store after the work; for a backup and a copy, theirs.
    var size: StoreSize
  }

  /// One store.
  struct Variant: Codable {
    var design: Design
    var steps: [Step] = []
    var mistakes = Mistakes()
  }

  var count: Int
  /// The bytes of all pictures together.
  var bytes: Int
  var variants: [Variant] = []

  func step(_ work: Work, _ design: Design) -> Step? {
    variants.first { $0.design == design }?.steps.first { $0.work == work }
  }
}
