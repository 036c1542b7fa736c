import CoreData
import Foundation
@testable import OpenCoreData

/// Compiled models and mapping models, and the model caches of stores.
enum CompiledModelTarget {
  static func run(_ data: Data) {
    guard data.starts(with: Data("bplist".utf8)) else {
      if let model = try? ModelCache.decode(data) { ModelTarget.use(model) }
      return
    }
    let model = NSManagedObjectModel()
    if (try? ModelDecoder.decode(data, into: model)) != nil { ModelTarget.use(model) }
    if let mappings = try? MappingDecoder.decode(data) {
      let mapping = NSMappingModel()
      mapping.entityMappings = mappings
      _ = try? MappingEncoder.encode(mapping)
    }
  }
}
