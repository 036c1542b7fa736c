import Synchronization

/// The codecs of a store's entities.
///
/// The codecs of entities without subentities are made with the store. The codec of a hierarchy knows the columns of all
/// entities in it. For a long line of inheritance, the codecs of all its entities would need memory that grows with the cube
/// of its length. So the codec of a hierarchy is only made when rows of the hierarchy are first read.
final class RowCodecs: Sendable {
  private let schema: SQLModel
  private let external: ExternalStorage
  /// The codecs at the index Z_ENT - 1; nil for an entity that has subentities.
  private let single: [RowCodec?]
  /// The codecs of entities with subentities, by Z_ENT.
  private let hierarchies = Mutex<[Int: RowCodec]>([:])

  init(_ schema: SQLModel, external: ExternalStorage) {
    (self.schema, self.external) = (schema, external)
    single = schema.entities.map { $0.hasSubentities ? nil : RowCodec($0, in: schema, external: external) }
  }

  subscript(entity: SQLEntity) -> RowCodec {
    if let codec = single[entity.number - 1] { return codec }
    return hierarchies.withLock { known in
      if let codec = known[entity.number] { return codec }
      let codec = RowCodec(entity, in: schema, external: external)
      known[entity.number] = codec
      return codec
    }
  }
}
