import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

/// The contents of Xcode's mapping model (`.xcmappingmodel`), before the models that it is for are known.
struct SourceMapping {
  /// The paths of the models in the project, e.g. `App/Notes.xcdatamodeld/Notes 2.xcdatamodel`.
  var sourceModelPath: String?
  var destinationModelPath: String?
  /// The entity mappings in the order of their numbers.
  var entities: [Entity] = []

  struct Entity {
    var givenName: String?
    var sourceName: String?
    var destinationName: String?
    var policyClassName: String?
    /// The filter predicate for the source objects; nil for all.
    var filter: String?
    var attributes: [Attribute] = []
    var relationships: [Relationship] = []

    /// The name of the entity mapping in a compiled mapping model.
    var name: String { givenName ?? [sourceName, destinationName].compactMap { $0 }.joined(separator: "To") }
  }

  struct Attribute {
    var name: String
    var expression: NSExpression?
  }

  struct Relationship {
    var name: String
    var expression: NSExpression?
    /// The mapping that makes the members, and the key path of their source objects. Both may be missing, and then
    /// follow from the names.
    var mappingName: String?
    var keyPath: String?
  }
}
