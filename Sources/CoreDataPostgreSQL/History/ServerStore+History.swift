#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  extension ServerStore {
    /// The bits by which history names the properties that an object has changed; nil where no history is kept.
    var historyBits: ((NSManagedObject) -> Data)? {
      guard serverOptions.tracksHistory else { return nil }
      return { [self] object in historyLayouts[number(of: object.entity) - 1].bitmaps.bitmap(of: object) }
    }

    /// Tells other programs of a save.
    func announceSave() {}
  }
#endif
