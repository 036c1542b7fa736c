import Foundation

extension SQLLoweringError {
  package static func keyPathNotFound(_ keyPath: String, in entity: SQLEntity) -> NSError {
    make("keypath \(keyPath) not found in entity \(entity.name)")
  }
}
