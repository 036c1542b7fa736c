import CoreData

extension Check {
  static let noModels = Check(
    "D-MOD-05", "mergedModel(from:) of bundles without a model is nil",
    expected: "nil"
  ) {
    let model = NSManagedObjectModel.mergedModel(from: [])
    return model.map { "a model of \($0.entities.count) entities" } ?? "nil"
  }
}
