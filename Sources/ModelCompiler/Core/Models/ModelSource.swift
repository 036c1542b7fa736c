/// A place in a model's file.
package struct ModelPlace: Equatable, Sendable {
  package var line = 0
  package var column = 0
}

/// What Xcode calls the code generation of an entity.
package enum CodeGeneration: Equatable, Sendable {
  /// "Manual/None": all code is written by hand.
  case manual
  /// "Category/Extension": the properties.
  case category
  /// "Class Definition": the class and the properties.
  case definition
}

/// As much of a source model as its classes depend on.
package struct ModelSource: Sendable {
  /// The file that holds the XML.
  package var path: String
  package var entities: [EntitySource] = []
  /// Names of the composite types.
  package var composites: Set<String> = []
}

package struct EntitySource: Sendable {
  package var name: String
  package var place: ModelPlace
  package var className: String?
  package var parent: String?
  package var generation = CodeGeneration.manual
  package var attributes: [AttributeSource] = []
  package var relationships: [RelationshipSource] = []
}

package struct AttributeSource: Sendable {
  package var name: String
  package var place: ModelPlace
  /// As the file spells it; nil for an undefined, transient one.
  package var type: String?
  package var isTransient = false
  package var isScalar = false
  package var customClassName: String?
  package var composite: String?
}

package struct RelationshipSource: Sendable {
  package var name: String
  package var place: ModelPlace
  package var destination: String?
  package var inverseName: String?
  package var inverseEntity: String?
  package var isToMany = false
  package var isOrdered = false
}
