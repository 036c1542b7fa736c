import CoreData
import CoreDataTools

/// The kind of a store, its model, and the configuration of the model that the store holds.
struct OwnModel: Sendable {
  let kind: StoreKind
  let model: NSManagedObjectModel
  let configuration: String?

  init(_ reader: StoreReader) {
    let (model, metadata) = (reader.model, reader.metadata)
    kind = reader.kind
    self.model = model
    configuration =
      model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
      ? nil
      : model.configurations.sorted().first {
        model.isConfiguration(withName: $0, compatibleWithStoreMetadata: metadata)
      }
  }
}
