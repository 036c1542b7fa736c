import CoreData

/// The indexes that a store has for likes and date.
enum Indexing: String, CaseIterable, Codable, Sendable {
  case none
  /// An index on likes, and an index on the date.
  case single
  /// An index on likes and then the date, and an index on the date.
  case compound

  var title: String {
    switch self {
    case .none: "none"
    case .single: "single"
    case .compound: "compound"
    }
  }

  /// The properties of each index, most significant first, by the index's name.
  private var properties: [(name: String, keys: [String])] {
    switch self {
    case .none: []
    case .single: [("byLikes", ["likes"]), ("byDate", ["date"])]
    case .compound: [("byLikesAndDate", ["likes", "date"]), ("byDate", ["date"])]
    }
  }

  /// Returns a design's model with these indexes.
  ///
  /// An app would have the indexes in its model file. Here, one file serves all variants, because a model may be changed as
  /// long as no coordinator uses it.
  func model(of design: Design) -> NSManagedObjectModel {
    let found = NSPersistentContainer(name: design.modelName).managedObjectModel
    guard let model = found.copy() as? NSManagedObjectModel, let entity = model.entitiesByName[design.sortedEntity]
    else { fatalError("The model \(design.modelName) has no entity \(design.sortedEntity).") }
    entity.indexes = properties.map { index in
      let elements = index.keys.compactMap { entity.attributesByName[$0] }.map {
        NSFetchIndexElementDescription(property: $0, collationType: .binary)
      }
      return NSFetchIndexDescription(name: index.name, elements: elements)
    }
    return model
  }
}
