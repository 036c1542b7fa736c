import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

/// The contents of Xcode's mapping model (`.xcmappingmodel`), before its models are known.
struct SourceMapping {
  /// The paths of the models in the project, such as `App/Notes.xcdatamodeld/Notes 2.xcdatamodel`.
  var sourceModelPath: String?
  var destinationModelPath: String?
  /// In the order of their numbers.
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

    /// The name that it has in a compiled mapping model.
    var name: String { givenName ?? [sourceName, destinationName].compactMap { $0 }.joined(separator: "To") }
  }

  struct Attribute {
    var name: String
    var expression: NSExpression?
  }

  struct Relationship {
    var name: String
    var expression: NSExpression?
    /// The mapping that makes the relationship's members, and the key path of the objects that they are made of; without
    /// these, names decide.
    var mappingName: String?
    var keyPath: String?
  }
}
