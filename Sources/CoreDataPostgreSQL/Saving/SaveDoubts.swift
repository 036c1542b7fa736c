#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData
  import Synchronization

  /// The saves of which it is not known whether they took place. Each is kept until it is found out, when one of its
  /// objects is saved again.
  ///
  /// For updated and deleted rows, the version shows whether the save took place; new objects would be written twice.
  final class SaveDoubts: Sendable {
    /// One save: its token, and the objects that it has inserted.
    struct Doubt: Sendable {
      let token: UUID
      /// When the save was sent.
      let began: ContinuousClock.Instant
      fileprivate let objects: [Object]
    }

    fileprivate struct Object: @unchecked Sendable {  // only compared, and tested for being released
      weak var object: NSManagedObject?
    }

    private let doubts = Mutex<[Doubt]>([])

    func note(_ token: UUID, _ inserted: some Sequence<NSManagedObject>, since began: ContinuousClock.Instant) {
      let doubt = Doubt(token: token, began: began, objects: inserted.map { Object(object: $0) })
      if !doubt.objects.isEmpty { doubts.withLock { $0.append(doubt) } }
    }

    /// The saves in doubt that have inserted some of the objects.
    func found(_ inserted: some Sequence<NSManagedObject>) -> [Doubt] {
      doubts.withLock { doubts in
        doubts.removeAll { $0.objects.allSatisfy { $0.object == nil } }
        if doubts.isEmpty { return [] }
        let wanted = Set(inserted.map(ObjectIdentifier.init))
        return doubts.filter {
          $0.objects.contains { $0.object.map { wanted.contains(ObjectIdentifier($0)) } ?? false }
        }
      }
    }

    /// Forgets a save that did not take place, and never will.
    func forget(_ token: UUID) { doubts.withLock { $0.removeAll { $0.token == token } } }
  }

  extension ServerStore {
    /// Finds out whether earlier saves in doubt took place that have inserted some of the objects which are to be
    /// inserted now.
    /// - Throws: 134030 if one of them took place, or if nobody can tell any more; 134030, with the key
    ///   `NSPostgreSQLSaveIsInDoubtKey`, if that is still not known.
    func settleDoubts(_ work: SaveWork) throws {
      for doubt in doubts.found(work.inserted) {
        do {
          try resolve(
            doubt.token, ServerError(message: "an earlier save is in doubt", isConnectionLost: true), SaveOutcome(),
            since: doubt.began)
        } catch is SaveAgain {
          doubts.forget(doubt.token)
          continue
        }
        throw NSError(
          coreData: NSPersistentStoreSaveError,
          "An earlier save of the context took place, of which the store at \(place) could not tell whether it did: what it has "
            + "inserted is there already. The context must be reset before it saves again, and fetch its objects anew.",
          [NSFilePathErrorKey: place])
      }
    }
  }
#endif
