//
//  Entry+LifeCycle.swift
//  Journal
//

import CoreData

extension Entry {

    public override func awakeFromInsert() {
        super.awakeFromInsert()
        setPrimitiveValue(UUID(), forKey: #keyPath(Entry.identifier))
        setPrimitiveValue(Date(), forKey: #keyPath(Entry.date))
    }

    public override func validateForInsert() throws {
        try super.validateForInsert()
        try validateTitle()
    }

    public override func validateForUpdate() throws {
        try super.validateForUpdate()
        try validateTitle()
    }

    public override func willSave() {
        super.willSave()
        if let trimmed = title?.trimmingCharacters(in: .whitespaces), trimmed != title {
            setPrimitiveValue(trimmed, forKey: #keyPath(title))
        }
    }

    private func validateTitle() throws {
        if title?.isEmpty ?? true { throw EntryError.titleMissing }
    }

}
