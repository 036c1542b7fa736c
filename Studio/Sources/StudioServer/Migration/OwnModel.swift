import CoreData
import CoreDataTools

/// The model that a store keeps, and what of it the store holds.
struct OwnModel: Sendable {
  let model: NSManagedObjectModel
  let configuration: String?

  init(_ reader: StoreReader) {
    let (model, metadata) = (reader.model, reader.metadata)
    self.model = model
    configuration =
      model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
      ? nil
      : model.configurations.sorted().first {
        model.isConfiguration(withName: $0, compatibleWithStoreMetadata: metadata)
      }
  }
}
